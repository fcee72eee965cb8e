// A client with the transport of client-go, which is the one of Go's standard library: over HTTP/2 it sends a header
// that it has sent before as an index.
//
// Its first line of input is a target, each further one a number of requests to send; it writes a line after each.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

type target struct {
	URL, CA, Cert, Key, Token string
	HTTP1                     bool
	Concurrency               int
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	if !lines.Scan() {
		log.Fatal("no target")
	}
	var to target
	check(json.Unmarshal(lines.Bytes(), &to))
	client := clientOf(to)
	for lines.Scan() {
		count, err := strconv.ParseInt(lines.Text(), 10, 64)
		check(err)
		send(client, to, count)
		fmt.Println("sent")
	}
}

func clientOf(to target) *http.Client {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(to.CA))
	config := &tls.Config{RootCAs: roots}
	if to.Cert != "" {
		own, err := tls.X509KeyPair([]byte(to.Cert), []byte(to.Key))
		check(err)
		config.Certificates = []tls.Certificate{own}
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(to.HTTP1)
	protocols.SetHTTP2(!to.HTTP1)
	transport := &http.Transport{TLSClientConfig: config, Protocols: protocols, MaxIdleConnsPerHost: to.Concurrency}
	return &http.Client{Transport: transport}
}

func send(client *http.Client, to target, count int64) {
	var begun atomic.Int64
	var lanes sync.WaitGroup
	for range to.Concurrency {
		lanes.Go(func() {
			for begun.Add(1) <= count {
				get(client, to)
			}
		})
	}
	lanes.Wait()
}

func get(client *http.Client, to target) {
	request, err := http.NewRequest(http.MethodGet, to.URL, nil)
	check(err)
	request.Header.Set("Accept", "application/json")
	if to.Token != "" {
		request.Header.Set("Authorization", "Bearer "+to.Token)
	}
	response, err := client.Do(request)
	check(err)
	_, err = io.Copy(io.Discard, response.Body)
	check(err)
	check(response.Body.Close())
	if response.StatusCode != http.StatusOK {
		log.Fatal(response.Status)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
