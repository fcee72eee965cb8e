// Keeps config maps in a shared informer of client-go until it has seen the last one, then prints what it has as one
// line of JSON.
//
//	clients --kubeconfig FILE --last NAMESPACE/NAME [--content-type TYPE]
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// report is what every client of these tests prints (watching-client.ts).
type report struct {
	// Objects by namespace/name.
	Objects map[string]object `json:"objects"`
	// Problems are events that a correct server never causes.
	Problems []string `json:"problems"`
	Events   int      `json:"events"`
}

type object struct {
	ResourceVersion string `json:"resourceVersion"`
	UID             string `json:"uid"`
	Turn            string `json:"turn"`
}

// recorder counts events and checks that no object goes back in time.
type recorder struct {
	lock     sync.Mutex
	events   int
	problems []string
	last     string
	seenLast chan struct{}
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "path of the kubeconfig")
	last := flag.String("last", "", "namespace/name of the config map that ends the watch")
	contentType := flag.String("content-type", "", "media type to speak; client-go's default, protobuf, when empty")
	flag.Parse()
	if err := run(*kubeconfig, *last, *contentType); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig, last, contentType string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.ContentType = contentType
	clientset, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(clientset, 0)
	informer := factory.Core().V1().ConfigMaps().Informer()
	watched := &recorder{last: last, seenLast: make(chan struct{})}
	if _, err := informer.AddEventHandler(watched); err != nil {
		return err
	}
	stop := make(chan struct{})
	defer close(stop)
	factory.Start(stop)
	<-watched.seenLast
	return json.NewEncoder(os.Stdout).Encode(watched.report(informer.GetStore()))
}

func (r *recorder) OnAdd(added any, _ bool) {
	r.count()
	if nameOf(added.(*corev1.ConfigMap)) == r.last {
		close(r.seenLast)
	}
}

func (r *recorder) OnUpdate(before, after any) {
	r.count()
	from, to := revision(before), revision(after)
	if to < from {
		r.lock.Lock()
		defer r.lock.Unlock()
		problem := fmt.Sprintf("%s went back from %d to %d", nameOf(after.(*corev1.ConfigMap)), from, to)
		r.problems = append(r.problems, problem)
	}
}

func (r *recorder) OnDelete(any) { r.count() }

func (r *recorder) count() {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.events++
}

func nameOf(of *corev1.ConfigMap) string { return of.Namespace + "/" + of.Name }

func revision(of any) uint64 {
	number, err := strconv.ParseUint(of.(*corev1.ConfigMap).ResourceVersion, 10, 64)
	if err != nil {
		panic(err)
	}
	return number
}

func (r *recorder) report(store cache.Store) report {
	r.lock.Lock()
	defer r.lock.Unlock()
	objects := map[string]object{}
	for _, item := range store.List() {
		found := item.(*corev1.ConfigMap)
		objects[nameOf(found)] = object{found.ResourceVersion, string(found.UID), found.Data["turn"]}
	}
	return report{Objects: objects, Problems: append([]string{}, r.problems...), Events: r.events}
}
