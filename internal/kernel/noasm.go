//go:build !amd64 || purego

package kernel

// What other processors have loops in assembly for; none here.

func unpackVector[T Integer]([]T, []byte, int, int, T) int { return 0 }

func framesVector[T Integer](_ []T, _ []byte, _, _, _ int, _ []T) int { return 0 }

func fillVector[T any]([]T, T) bool { return false }

func runsVector[T any](_, _ []T, _ []uint32, _ bool) (runs, rows int) { return 0, 0 }

func varintsVector[T uint32 | uint64](_ []T, _ []byte, _ T) (values, bytes int) { return 0, 0 }

func decimalsVector[T uint32 | uint64](_ []T, _ []uint64, _, _ float64) int { return 0 }
