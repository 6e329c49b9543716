package fn

import "net/netip"

// addresses is the family of functions of IP addresses and networks.
var addresses = []Function{
	{Name: "issubnetof", Rows: takes(Boolean, rows(isSubnetOf), String, String)},
	{Name: "ipprefix", Rows: takes(String, rows(ipPrefix), String, Int)},
	{Name: "ipsubnetmin", Rows: takes(String, rows(func(r *Row) error {
		p, err := network(r, 0)
		r.Out = append(r.Out, p.Masked().Addr().String()...)
		return err
	}), String)},
	{Name: "ipsubnetmax", Rows: takes(String, rows(ipSubnetMax), String)},
}

func network(r *Row, arg int) (netip.Prefix, error) {
	p, err := netip.ParsePrefix(string(r.Text(arg)))
	if err != nil {
		return p, badValue("%q is no network", r.Text(arg))
	}
	return p, nil
}

func address(r *Row, arg int) (netip.Addr, error) {
	a, err := netip.ParseAddr(string(r.Text(arg)))
	if err != nil {
		return a, badValue("%q is no address", r.Text(arg))
	}
	return a.Unmap(), nil
}

func isSubnetOf(r *Row) error {
	p, err := network(r, 0)
	if err != nil {
		return err
	}
	a, err := address(r, 1)
	r.B = err == nil && p.Masked().Contains(a)
	return err
}

func ipPrefix(r *Row) error {
	a, err := address(r, 0)
	if err != nil {
		return err
	}
	p, err := a.Prefix(int(r.Int(1)))
	if err != nil {
		return badValue("%v", err)
	}
	r.Out = append(r.Out, p.String()...)
	return nil
}

func ipSubnetMax(r *Row) error {
	p, err := network(r, 0)
	if err != nil {
		return err
	}
	last := p.Addr().AsSlice()
	for bit := p.Bits(); bit < 8*len(last); bit++ {
		last[bit/8] |= 0x80 >> (bit % 8)
	}
	a, _ := netip.AddrFromSlice(last)
	r.Out = append(r.Out, a.String()...)
	return nil
}
