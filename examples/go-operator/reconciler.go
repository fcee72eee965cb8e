package main

import (
	"context"
	"html"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	v1 "example.com/website-operator/api/v1"
)

// Reconciler keeps a page for each Website.
type Reconciler struct {
	client.Client
}

func (r *Reconciler) SetupWithManager(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).For(&v1.Website{}).Owns(&corev1.ConfigMap{}).Complete(r)
}

func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var website v1.Website
	if err := r.Get(ctx, request.NamespacedName, &website); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	page := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: website.Namespace, Name: website.Name + "-page"}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, page, func() error {
		page.Data = map[string]string{"index.html": "<h1>" + html.EscapeString(website.Spec.Text) + "</h1>"}
		return controllerutil.SetControllerReference(&website, page, r.Scheme())
	})
	if err != nil || website.Status.Page == page.Name {
		return ctrl.Result{}, err
	}
	website.Status.Page = page.Name
	return ctrl.Result{}, r.Status().Update(ctx, &website)
}
