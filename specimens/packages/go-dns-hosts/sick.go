package main

import (
	"fmt"
	"net"
	"os"
	"strconv"

	"github.com/miekg/dns"
)

func answer(w dns.ResponseWriter, query *dns.Msg) {
	reply := new(dns.Msg)
	reply.SetReply(query)
	name := query.Question[0].Name
	reply.Answer = append(reply.Answer, &dns.A{
		Hdr: dns.RR_Header{Name: name, Rrtype: dns.TypeA, Class: dns.ClassINET, Ttl: 60},
		A:   net.IPv4(10, 0, byte(len(name)), name[4]),
	})
	w.WriteMsg(reply)
}

func serve() (*dns.Server, string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	server := &dns.Server{Listener: listener, Handler: dns.HandlerFunc(answer), MaxTCPQueries: -1}
	go server.ActivateAndServe()
	return server, listener.Addr().String(), nil
}

func resolve(client *dns.Client, server string, hosts int) (int, error) {
	sum := 0
	for host := 0; host < hosts; host++ {
		query := new(dns.Msg)
		query.SetQuestion("host"+strconv.Itoa(host)+".example.", dns.TypeA)
		reply, _, err := client.Exchange(query, server)
		if err != nil {
			return 0, err
		}
		sum += int(reply.Answer[0].(*dns.A).A.To4()[3])
	}
	return sum, nil
}

func main() {
	hosts, _ := strconv.Atoi(os.Args[1])
	server, address, err := serve()
	if err != nil {
		panic(err)
	}
	defer server.Shutdown()
	sum, err := resolve(&dns.Client{Net: "tcp"}, address, hosts)
	if err != nil {
		panic(err)
	}
	fmt.Println("hosts", hosts, "sum", sum)
}
