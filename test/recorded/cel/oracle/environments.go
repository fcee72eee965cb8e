package main

import (
	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/version"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/cel/mutation"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

func always(declared []*apiservercel.DeclType, options ...cel.EnvOption) environment.VersionedOptions {
	return environment.VersionedOptions{IntroducedVersion: version.MajorMinor(1, 0), EnvOptions: options, DeclTypes: declared}
}

func extended(set *environment.EnvSet, options ...environment.VersionedOptions) *cel.Env {
	set, err := set.Extend(options...)
	if err != nil {
		panic(err)
	}
	return set.NewExpressionsEnv()
}

func admissionOptions() environment.VersionedOptions {
	request, namespace := plugincel.BuildRequestType(), plugincel.BuildNamespaceType()
	return always([]*apiservercel.DeclType{namespace, request},
		cel.Variable("object", cel.DynType),
		cel.Variable("oldObject", cel.DynType),
		cel.Variable("params", cel.DynType),
		cel.Variable("namespaceObject", namespace.CelType()),
		cel.Variable("request", request.CelType()),
		cel.Variable("authorizer", library.AuthorizerType))
}

func object(name string, fields map[string]*apiservercel.DeclType) *apiservercel.DeclType {
	declared := map[string]*apiservercel.DeclField{}
	for field, fieldType := range fields {
		declared[field] = apiservercel.NewDeclField(field, fieldType, false, nil, nil)
	}
	return apiservercel.NewObjectType(name, declared)
}

func authorizationOptions() environment.VersionedOptions {
	text := apiservercel.StringType
	texts := apiservercel.NewListType(text, -1)
	requirement := object("kubernetes.SelectorRequirement", map[string]*apiservercel.DeclType{"key": text, "operator": text, "values": texts})
	selector := func(name string) *apiservercel.DeclType {
		return object(name, map[string]*apiservercel.DeclType{"rawSelector": text, "requirements": apiservercel.NewListType(requirement, -1)})
	}
	request := object("kubernetes.SubjectAccessReviewSpec", map[string]*apiservercel.DeclType{
		"resourceAttributes": object("kubernetes.ResourceAttributes", map[string]*apiservercel.DeclType{
			"namespace": text, "verb": text, "group": text, "version": text, "resource": text, "subresource": text, "name": text,
			"fieldSelector": selector("kubernetes.FieldSelectorAttributes"),
			"labelSelector": selector("kubernetes.LabelSelectorAttributes"),
		}),
		"nonResourceAttributes": object("kubernetes.NonResourceAttributes", map[string]*apiservercel.DeclType{"path": text, "verb": text}),
		"user":                  text,
		"groups":                texts,
		"extra":                 apiservercel.NewMapType(text, texts, -1),
		"uid":                   text,
	})
	return always([]*apiservercel.DeclType{request}, cel.Variable("request", request.CelType()))
}

func userOptions() environment.VersionedOptions {
	text := apiservercel.StringType
	texts := apiservercel.NewListType(text, -1)
	user := object("kubernetes.UserInfo", map[string]*apiservercel.DeclType{
		"username": text, "uid": text, "groups": texts, "extra": apiservercel.NewMapType(text, texts, -1),
	})
	return always([]*apiservercel.DeclType{user}, cel.Variable("user", user.CelType()))
}

func claimsOptions() environment.VersionedOptions {
	claims := apiservercel.NewMapType(apiservercel.StringType, apiservercel.AnyType, -1)
	return always([]*apiservercel.DeclType{claims}, cel.Variable("claims", claims.CelType()))
}

// environmentOf finds the environments of the reference that have types of their own; nil for other names.
func environmentOf(name string, set *environment.EnvSet) *cel.Env {
	switch name {
	case "admission":
		return extended(set, admissionOptions())
	case "mutation":
		patches := always(nil, common.ResolverEnvOption(&mutation.DynamicTypeResolver{}), environment.UnversionedLib(library.JSONPatch))
		// Extended twice, as there: declared types are found before those that are resolved.
		admission, err := set.Extend(admissionOptions(), environment.StrictCostOpt)
		if err != nil {
			panic(err)
		}
		return extended(admission, patches)
	case "authorization":
		return extended(set, authorizationOptions())
	case "claims":
		return extended(set, claimsOptions())
	case "user":
		return extended(set, userOptions())
	case "device":
		compiler := dracel.GetCompiler(dracel.Features{EnableConsumableCapacity: true, EnableListTypeAttributes: true})
		newExpressions := environment.NewExpressions
		return compiler.CompileCELExpression("true", dracel.Options{EnvType: &newExpressions}).Environment
	}
	return nil
}
