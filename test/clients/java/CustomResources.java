import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
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

/** {@code java CustomResources.java KUBECONFIG NAMESPACE}: what fabric8's generic client hears of custom resources of two versions, as one line of JSON. */
public class CustomResources {
  private static final String GROUP = "harbor.example.com";
  private final KubernetesClient client;
  private final String namespace;
  private final Map<String, Object> report = new LinkedHashMap<>();

  private CustomResources(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  public static void main(String[] args) throws Exception {
    Config config = Config.fromKubeconfig(new File(args[0]));
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      CustomResources program = new CustomResources(client, args[1]);
      program.writing();
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

  private void writing() throws Exception {
    step("create", () -> ships("v1").resource(ship("v1", "ada", Map.of("name", "Ada"))).create());
    step("create in another version", () -> ships("v2").resource(ship("v2", "bea", Map.of("title", "Bea"))).create());
    step("create what is invalid", () -> ships("v2").resource(ship("v2", "cas", Map.of("title", 7))).create());
    step("read in another version", () -> ships("v2").withName("ada").get());
    step("edit in another version", () -> ships("v2").withName("ada").edit(ship -> {
      ship.setAdditionalProperty("spec", Map.of("title", "Adele"));
      return ship;
    }));
    step("a merge patch", () -> ships("v1").withName("ada")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"name\":\"Adelheid\"}}"));
    step("apply", () -> ships("v2").resource(ship("v2", "dot", Map.of("title", "Dot"))).serverSideApply());
    step("titles", () -> {
      List<Object> titles = new ArrayList<>();
      for (GenericKubernetesResource ship : ships("v2").list().getItems()) titles.add(ship.get("spec", "title"));
      return titles;
    });
  }

  private void watching() throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    step("a watch hears of changes in another version", () -> {
      Watcher<GenericKubernetesResource> watcher = new Watcher<>() {
        @Override
        public void eventReceived(Action action, GenericKubernetesResource ship) {
          events.add(action + " " + ship.getMetadata().getName() + " " + ship.get("spec", "title"));
        }

        @Override
        public void onClose(WatcherException cause) {
        }
      };
      List<String> seen = new ArrayList<>();
      String version = ships("v2").list().getMetadata().getResourceVersion();
      try (var watch = ships("v2").withResourceVersion(version).watch(watcher)) {
        ships("v1").resource(ship("v1", "eve", Map.of("name", "Eve"))).create();
        ships("v1").withName("eve").delete();
        for (int count = 0; count < 2; count++) seen.add(events.poll(20, TimeUnit.SECONDS));
      }
      return seen;
    });
  }

  private NonNamespaceOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>> ships(
      String version) {
    return client.genericKubernetesResources(GROUP + "/" + version, "Ship").inNamespace(namespace);
  }

  private GenericKubernetesResource ship(String version, String name, Map<String, Object> spec) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion(GROUP + "/" + version).withKind("Ship")
        .withNewMetadata().withName(name).withNamespace(namespace).endMetadata()
        .addToAdditionalProperties("spec", spec)
        .build();
  }
}
