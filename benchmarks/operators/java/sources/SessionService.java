package sample.session;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Signs people in and keeps their sessions. */
public class SessionService {

  private static final Duration LIFE = Duration.ofMinutes(30);
  private static final int MAX_FAILURES = 5;

  private final SecureRandom random = new SecureRandom();
  private final Map<String, Session> sessions = new ConcurrentHashMap<>();
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private final Accounts accounts;
  private final Clock clock;

  public SessionService(Accounts accounts, Clock clock) {
    this.accounts = accounts;
    this.clock = clock;
  }

  public String signIn(String name, char[] password) {
    if (name == null || name.isBlank()) {
      throw new IllegalArgumentException("a name is needed");
    }
    if (failures.getOrDefault(name, 0) >= MAX_FAILURES) {
      throw new SecurityException("account locked");
    }
    Account account = accounts.find(name);
    if (account == null || !verifyPassword(account, password)) {
      failures.merge(name, 1, Integer::sum);
      throw new SecurityException("wrong name or password");
    }
    failures.remove(name);
    String token = newToken();
    sessions.put(token, new Session(account, clock.instant().plus(LIFE)));
    return token;
  }

  public Account require(String token, String role) {
    Session session = sessions.get(token);
    if (session == null) {
      throw new SecurityException("not signed in");
    }
    Instant now = clock.instant();
    if (now.isAfter(session.expires())) {
      sessions.remove(token);
      throw new SecurityException("session expired");
    }
    if (!session.account().hasRole(role)) {
      throw new SecurityException("role missing: " + role);
    }
    return session.account();
  }

  public Optional<Account> peek(String token) {
    try {
      return Optional.of(require(token, "user"));
    } catch (SecurityException e) {
      return Optional.empty();
    }
  }

  public void signOut(String token) {
    Session session = sessions.remove(token);
    if (session != null) {
      session.invalidate();
    }
  }

  public void changePassword(String token, char[] old, char[] fresh) {
    Account account = require(token, "user");
    if (!verifyPassword(account, old)) {
      throw new SecurityException("wrong password");
    }
    if (fresh.length < 12) {
      throw new IllegalArgumentException("password too short");
    }
    accounts.store(account, fresh);
    sessions.values().removeIf(session -> session.account().equals(account));
  }

  private boolean verifyPassword(Account account, char[] password) {
    byte[] given = accounts.digest(password, account.salt());
    return MessageDigest.isEqual(given, account.digest());
  }

  public boolean isValidSignature(String body, String signature) {
    if (signature == null || signature.isEmpty()) {
      return false;
    }
    byte[] wanted = accounts.sign(body.getBytes(StandardCharsets.UTF_8));
    return MessageDigest.isEqual(wanted, Base64.getDecoder().decode(signature));
  }

  private String newToken() {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
