import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** {@code java Fabric8Client.java KUBECONFIG NAMESPACE}: what fabric8's client gets to hear, step by step, as one line of JSON. */
public class Fabric8Client {
  private final KubernetesClient client;
  private final String namespace;
  private final Map<String, Object> report = new LinkedHashMap<>();

  private Fabric8Client(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  public static void main(String[] args) throws Exception {
    Config config = Config.fromKubeconfig(new File(args[0]));
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      Fabric8Client program = new Fabric8Client(client, args[1]);
      program.step("create a namespace", () -> client.namespaces().resource(namespaceOf(args[1])).create());
      program.applying();
      program.otherWrites();
      program.watching();
      System.out.println(Serialization.jsonMapper().writeValueAsString(program.report));
    }
    System.exit(0);
  }

  /** Keeps what the server answered: a value, or the status of an error. */
  private void step(String title, Callable<Object> act) throws Exception {
    try {
      report.put(title, Serialization.jsonMapper().valueToTree(act.call()));
    } catch (KubernetesClientException error) {
      JsonNode status = Serialization.jsonMapper().valueToTree(error.getStatus());
      report.put(title, error.getStatus() == null ? error.getMessage() : status);
    }
  }

  private void applying() throws Exception {
    step("apply creates", () -> at(deployment("web:1")).serverSideApply());
    step("apply the same", () -> {
      String version = at(deployment("web:1")).get().getMetadata().getResourceVersion();
      return version.equals(at(deployment("web:1")).serverSideApply().getMetadata().getResourceVersion());
    });
    step("apply a conflict", () -> at(deployment("web:2")).fieldManager("other").serverSideApply());
    step("apply by force", () -> at(deployment("web:2")).fieldManager("other").forceConflicts().serverSideApply());
    step("apply without what was applied", () -> at(new DeploymentBuilder(deployment("web:2"))
        .editSpec().withReplicas(null).endSpec().build()).serverSideApply());
    step("apply of a dry run", () -> at(deployment("web:3")).dryRun(true).forceConflicts().serverSideApply());
    step("patch that applies", () -> at(service()).patch(applyAs("gitops", false), service()));
    step("patch that applies by force", () -> {
      Service changed = new ServiceBuilder(service()).editSpec().withSelector(Map.of("app", "other")).endSpec().build();
      return at(changed).patch(applyAs("other", true), changed);
    });
    step("apply without type", () -> client.resource(new GenericKubernetesResourceBuilder().withApiVersion("v1").withKind("ServiceAccount")
        .withNewMetadata().withName("pilot").withNamespace(namespace).endMetadata().addToAdditionalProperties("automountServiceAccountToken", false)
        .build()).fieldManager("gitops").serverSideApply());
    step("apply a status", () -> {
      Deployment status = new DeploymentBuilder().withNewMetadata().withName("web").withNamespace(namespace).endMetadata()
          .withNewStatus().addNewCondition().withType("Available").withStatus("True").endCondition().endStatus().build();
      return client.resource(status).subresource("status").patch(applyAs("controller", true));
    });
    step("scale", () -> client.apps().deployments().inNamespace(namespace).withName("web").scale(4));
    step("what is there now", () -> at(deployment("web:1")).get());
  }

  private void otherWrites() throws Exception {
    step("create or", () -> client.resource(map("first", "1")).createOr(NonDeletingOperation::update));
    step("create or update", () -> client.resource(map("first", "2")).createOr(NonDeletingOperation::update));
    step("create it again", () -> client.resource(map("first", "2")).create());
    step("edit", () -> maps().withName("first").edit(found -> new ConfigMapBuilder(found).addToData("edited", "3").build()));
    step("patch", () -> maps().withName("first").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"merged\":\"4\"}}"));
    step("create a pod", () -> client.pods().inNamespace(namespace).resource(pod()).create());
    step("edit a pod's status", () -> client.pods().inNamespace(namespace).withName("pilot").editStatus(found ->
        new PodBuilder(found).editOrNewStatus().withPhase("Running").endStatus().build()));
    step("update an old version", () -> {
      ConfigMap old = new ConfigMapBuilder(map("first", "5")).editMetadata().withResourceVersion("1").endMetadata().build();
      return client.resource(old).update();
    });
    step("list by label", () -> maps().withLabel("of", "fabric8").list().getItems().stream().map(item -> item.getMetadata().getName()).toList());
    step("read what is not there", () -> String.valueOf(maps().withName("missing").get()));
    step("delete", () -> maps().withName("first").delete());
    step("names of resources", () -> client.getApiResources("apps/v1").getResources().stream().map(item -> item.getName()).sorted().toList());
  }

  private void watching() throws Exception {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    try (var watch = maps().withLabel("of", "watch").watch(new Watcher<ConfigMap>() {
      @Override
      public void eventReceived(Action action, ConfigMap object) {
        seen.add(action + " " + object.getMetadata().getName() + " " + object.getData());
      }

      @Override
      public void onClose(WatcherException cause) {
        seen.add("closed " + cause);
      }
    })) {
      changeThrice();
      step("a watch", () -> take(seen, 3));
    }
    try (var informer = maps().withLabel("of", "watch").inform(new ResourceEventHandler<ConfigMap>() {
      @Override
      public void onAdd(ConfigMap object) {
        seen.add("added " + object.getData());
      }

      @Override
      public void onUpdate(ConfigMap before, ConfigMap after) {
        seen.add("updated " + before.getData() + " " + after.getData());
      }

      @Override
      public void onDelete(ConfigMap object, boolean unknown) {
        seen.add("deleted " + object.getData());
      }
    })) {
      seen.clear();
      changeThrice();
      step("an informer", () -> take(seen, 3));
    }
  }

  private void changeThrice() throws Exception {
    ConfigMap object = new ConfigMapBuilder(map("seen", "1")).editMetadata().addToLabels("of", "watch").endMetadata().build();
    client.resource(object).create();
    TimeUnit.MILLISECONDS.sleep(200);
    maps().withName("seen").edit(found -> new ConfigMapBuilder(found).addToData("turn", "2").build());
    TimeUnit.MILLISECONDS.sleep(200);
    maps().withName("seen").delete();
  }

  private static List<String> take(BlockingQueue<String> seen, int count) throws InterruptedException {
    List<String> events = new ArrayList<>();
    while (events.size() < count) events.add(String.valueOf(seen.poll(20, TimeUnit.SECONDS)));
    return events;
  }

  private <T extends HasMetadata> Resource<T> at(T object) {
    return client.resource(object);
  }

  private NonNamespaceOperation<ConfigMap, ConfigMapList, Resource<ConfigMap>> maps() {
    return client.configMaps().inNamespace(namespace);
  }

  private static PatchContext applyAs(String manager, boolean force) {
    return new PatchContext.Builder().withPatchType(PatchType.SERVER_SIDE_APPLY).withFieldManager(manager).withForce(force).build();
  }

  private static Namespace namespaceOf(String name) {
    return new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build();
  }

  private Deployment deployment(String image) {
    return new DeploymentBuilder()
        .withNewMetadata().withName("web").withNamespace(namespace).endMetadata()
        .withNewSpec().withReplicas(2)
        .withNewSelector().addToMatchLabels("app", "web").endSelector()
        .withNewTemplate().withNewMetadata().addToLabels("app", "web").endMetadata()
        .withNewSpec().addNewContainer().withName("web").withImage(image).addNewPort().withContainerPort(80).endPort().endContainer().endSpec()
        .endTemplate().endSpec().build();
  }

  private Service service() {
    return new ServiceBuilder()
        .withNewMetadata().withName("web").withNamespace(namespace).endMetadata()
        .withNewSpec().addToSelector("app", "web")
        .addNewPort().withName("http").withPort(80).endPort()
        .addNewPort().withName("dns").withPort(53).withProtocol("UDP").endPort()
        .endSpec().build();
  }

  private Pod pod() {
    return new PodBuilder().withNewMetadata().withName("pilot").endMetadata()
        .withNewSpec().addNewContainer().withName("pilot").withImage("pilot:1").endContainer().endSpec().build();
  }

  private ConfigMap map(String name, String turn) {
    return new ConfigMapBuilder()
        .withNewMetadata().withName(name).withNamespace(namespace).addToLabels("of", "fabric8").endMetadata()
        .addToData("turn", turn).build();
  }
}
