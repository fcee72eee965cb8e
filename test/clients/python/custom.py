"""`python custom.py KUBECONFIG NAMESPACE`: what the dynamic client hears of custom resources of two versions, as one line of JSON."""

import json
import sys

from kubernetes import client, config, dynamic

kubeconfig, namespace = sys.argv[1:]
config.load_kube_config(kubeconfig)
api = client.ApiClient()
dynamic_client = dynamic.DynamicClient(api)
report = {}


def step(title, act):
    """Keeps what the server answered: a value, or the status of an error."""
    try:
        value = act()
        report[title] = value.to_dict() if isinstance(value, dynamic.resource.ResourceInstance) else value
    except client.ApiException as error:
        body = json.loads(error.body)
        report[title] = {key: body.get(key) for key in ("code", "reason", "message", "details")}


def ships(version):
    return dynamic_client.resources.get(api_version=f"harbor.example.com/{version}", kind="Ship")


def ship(version, id, **spec):
    return {"apiVersion": f"harbor.example.com/{version}", "kind": "Ship", "metadata": {"name": id}, "spec": spec}


def watched(version):
    events = ships(version).watch(namespace=namespace, timeout=20)
    return [(event["type"], event["object"].to_dict()["spec"]) for _, event in zip(range(2), events)]


step("kinds", lambda: sorted({f"{resource.group_version} {resource.kind}" for resource in dynamic_client.resources.search(group="harbor.example.com")}))
step("create", lambda: ships("v1").create(body=ship("v1", "ada", name="Ada"), namespace=namespace))
step("create in another version", lambda: ships("v2").create(body=ship("v2", "bea", title="Bea"), namespace=namespace))
step("create what is invalid", lambda: ships("v2").create(body=ship("v2", "cas", title=7), namespace=namespace))
step("read", lambda: ships("v1").get(name="bea", namespace=namespace))
step("read in another version", lambda: ships("v2").get(name="ada", namespace=namespace))
step("list in another version", lambda: [item.spec.title for item in ships("v2").get(namespace=namespace).items])
step("a merge patch", lambda: ships("v2").patch(body={"spec": {"title": "Adele"}}, name="ada", namespace=namespace, content_type="application/merge-patch+json"))
step("a strategic patch", lambda: ships("v2").patch(body={"spec": {"title": "Adele"}}, name="ada", namespace=namespace, content_type="application/strategic-merge-patch+json"))
step("apply", lambda: ships("v2").server_side_apply(body=ship("v2", "dot", title="Dot"), name="dot", namespace=namespace, field_manager="gitops"))
step("apply in another version", lambda: ships("v1").server_side_apply(body=ship("v1", "dot", name="Dorothy"), name="dot", namespace=namespace, field_manager="other"))
step("a watch", lambda: watched("v2"))
step("delete", lambda: ships("v1").delete(name="bea", namespace=namespace))
step("read what is gone", lambda: ships("v2").get(name="bea", namespace=namespace))
print(json.dumps(report))
