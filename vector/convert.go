package vector

// Convert makes dst the rows of src with each value converted by loop, which is
// called once with slices of one length. Of an encoded src only the values are
// converted, unless they are more than the rows, when src is flattened; dst has
// src's form and borrows the rest.
func Convert[To, From Value](dst *Vec[To], src *Vec[From], loop func(dst []To, src []From)) {
	if src.Form != Flat && len(src.Values) > src.N {
		src.Flatten()
	}
	n := len(src.Values)
	if src.Form == Flat {
		n = src.N
	}
	dst.Form, dst.N, dst.Valid = src.Form, src.N, src.Valid
	dst.Index, dst.Ends, dst.Positions = src.Index, src.Ends, src.Positions
	loop(dst.ReserveValues(n), src.Values[:n])
}
