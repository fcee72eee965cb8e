// Kubernetes' own codecs behind a pipe. Every request is a frame: a byte that tells the format, one with a bit for each
// format that is wanted, and a body. Every answer is a frame: 1 and a frame for each wanted format, which is 1 and the
// object in it or 0 and an error; or 0 and why the body was refused.
//
// What was read goes through protobuf once, as in a server with a store: empty lists and absent ones are the same
// there.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// JSON, YAML, protobuf, CBOR.
var formats []runtime.Serializer

var protobuf runtime.Serializer

func main() {
	must(apiextensionsv1.AddToScheme(scheme.Scheme))
	must(apiregistrationv1.AddToScheme(scheme.Scheme))
	codecs := serializer.NewCodecFactory(scheme.Scheme,
		serializer.WithSerializer(cbor.NewSerializerInfo),
		serializer.WithStreamingCollectionEncodingToJSON(),
		serializer.WithStreamingCollectionEncodingToProtobuf())
	for _, info := range codecs.SupportedMediaTypes() {
		formats = append(formats, info.Serializer)
		if info.MediaType == runtime.ContentTypeProtobuf {
			protobuf = info.Serializer
		}
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	for {
		request, err := readFrame(in)
		if errors.Is(err, io.EOF) {
			break
		}
		must(err)
		must(writeFrame(out, attempt(func(answer *bytes.Buffer) error {
			return transcode(formats[request[0]], request[1], request[2:], answer)
		})))
	}
	must(out.Flush())
}

// attempt is 1 and what write writes, or 0 and its error.
func attempt(write func(*bytes.Buffer) error) []byte {
	out := bytes.NewBuffer([]byte{1})
	if err := write(out); err != nil {
		return append([]byte{0}, err.Error()...)
	}
	return out.Bytes()
}

func transcode(from runtime.Serializer, wanted byte, body []byte, answer *bytes.Buffer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	object, _, err := from.Decode(body, nil, nil)
	if err != nil {
		return err
	}
	var stored bytes.Buffer
	if err := protobuf.Encode(object, &stored); err != nil {
		return err
	}
	if object, _, err = protobuf.Decode(stored.Bytes(), nil, nil); err != nil {
		return err
	}
	for index, to := range formats {
		if wanted&(1<<index) == 0 {
			continue
		}
		form := attempt(func(out *bytes.Buffer) error { return to.Encode(object, out) })
		if err := writeFrame(answer, form); err != nil {
			return err
		}
	}
	return nil
}

func readFrame(in io.Reader) ([]byte, error) {
	var length uint32
	if err := binary.Read(in, binary.BigEndian, &length); err != nil {
		return nil, err
	}
	frame := make([]byte, length)
	_, err := io.ReadFull(in, frame)
	return frame, err
}

func writeFrame(out io.Writer, frame []byte) error {
	if err := binary.Write(out, binary.BigEndian, uint32(len(frame))); err != nil {
		return err
	}
	_, err := out.Write(frame)
	return err
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
