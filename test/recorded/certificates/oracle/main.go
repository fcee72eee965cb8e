// Answers, one JSON string for one JSON line of standard input, what Go's libraries say about a certificate (`cert`),
// a certificate request (`csr`), or a certificate and its key, both as PEM (`pair`); an empty string if all is well.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"log"
	"os"
)

type question struct {
	Kind string `json:"kind"`
	// Base64.
	Bytes string `json:"bytes"`
	Key   string `json:"key"`
}

func problem(q question) error {
	bytes, err := base64.StdEncoding.DecodeString(q.Bytes)
	if err != nil {
		log.Fatal(err)
	}
	switch q.Kind {
	case "pair":
		_, err = tls.X509KeyPair(bytes, []byte(q.Key))
	case "csr":
		_, err = x509.ParseCertificateRequest(bytes)
	default:
		_, err = x509.ParseCertificate(bytes)
	}
	return err
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			log.Fatal(err)
		}
		text := ""
		if err := problem(q); err != nil {
			text = err.Error()
		}
		if err := out.Encode(text); err != nil {
			log.Fatal(err)
		}
	}
}
