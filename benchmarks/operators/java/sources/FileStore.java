package sample.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Keeps documents of tenants below one folder. */
public class FileStore {

  private static final int MAX_NAME = 120;
  private static final long MAX_BYTES = 4_194_304L;
  private static final Set<String> ALLOWED = Set.of("txt", "csv", "pdf");

  private final Path root;
  private final AccessRules rules;

  public FileStore(Path root, AccessRules rules) throws IOException {
    if (!Files.isDirectory(root)) {
      throw new IllegalArgumentException("not a folder: " + root);
    }
    this.root = root.toRealPath();
    this.rules = rules;
  }

  public byte[] read(User user, String name) throws IOException {
    if (!rules.isAllowed(user, name)) {
      throw new SecurityException("access denied: " + name);
    }
    Path file = inside(name);
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException("file too large: " + name);
    }
    return Files.readAllBytes(file);
  }

  public void write(User user, String name, InputStream content) throws IOException {
    if (!rules.mayWrite(user)) {
      throw new SecurityException("access denied");
    }
    checkName(name);
    Path target = inside(name);
    Path partial = Files.createTempFile(root, "upload", ".part");
    try (OutputStream out = Files.newOutputStream(partial)) {
      byte[] buffer = new byte[8192];
      long total = 0;
      int count = content.read(buffer);
      while (count >= 0) {
        total += count;
        if (total > MAX_BYTES) {
          throw new IOException("upload too large");
        }
        out.write(buffer, 0, count);
        count = content.read(buffer);
      }
    } catch (IOException e) {
      Files.deleteIfExists(partial);
      throw new StoreException("upload failed", e);
    }
    Files.move(partial, target, StandardCopyOption.REPLACE_EXISTING);
  }

  public List<String> list(User user, String prefix) throws IOException {
    if (prefix == null || prefix.contains("..")) {
      throw new IllegalArgumentException("bad prefix");
    }
    List<String> names = new ArrayList<>();
    try (var files = Files.list(root)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (name.startsWith(prefix) && rules.isAllowed(user, name)) {
          names.add(name);
        }
      }
    }
    return names;
  }

  public void delete(User user, String name) throws IOException {
    if (user == null || !user.isAdministrator()) {
      throw new SecurityException("only administrators delete");
    }
    Files.delete(inside(name));
  }

  private Path inside(String name) throws IOException {
    Path file = root.resolve(name).normalize();
    if (!file.startsWith(root)) {
      throw new IOException("outside of the store: " + name);
    }
    return file;
  }

  private static void checkName(String name) {
    if (name.isEmpty() || name.length() > MAX_NAME) {
      throw new IllegalArgumentException("bad length");
    }
    if (name.contains("..") || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("bad name: " + name);
    }
    int dot = name.lastIndexOf('.');
    String ending = name.substring(dot + 1).toLowerCase(Locale.ROOT);
    if (!ALLOWED.contains(ending)) {
      throw new IllegalArgumentException("ending not allowed: " + ending);
    }
  }
}
