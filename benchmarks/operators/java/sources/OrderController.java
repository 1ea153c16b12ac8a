package sample.web;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;

/** Answers requests about orders. */
@RestController
@RequestMapping("/orders")
public class OrderController {

  private static final Pattern NUMBER = Pattern.compile("[A-Z]{2}[0-9]{6}");
  private static final List<String> HOSTS = List.of("pay.example.org", "bank.example.org");
  private static final int MAX_LINES = 200;

  private final Orders orders;
  private final Escaper escaper;

  public OrderController(Orders orders, Escaper escaper) {
    this.orders = orders;
    this.escaper = escaper;
  }

  @GetMapping("/{number}")
  @PreAuthorize("hasRole('CLERK')")
  public String show(@PathVariable String number, Principal principal) {
    if (!NUMBER.matcher(number).matches()) {
      throw new BadRequestException("bad order number");
    }
    Order order = orders.find(number);
    if (order == null) {
      throw new NotFoundException(number);
    }
    if (!order.owner().equals(principal.getName()) && !principal.isManager()) {
      throw new ForbiddenException("not your order");
    }
    return "<h1>" + escaper.escapeHtml(order.title()) + "</h1>" + lines(order);
  }

  @PostMapping
  @PreAuthorize("hasRole('CLERK')")
  public String create(@Valid OrderForm form, Principal principal) throws IOException {
    if (form.lines().size() > MAX_LINES) {
      throw new BadRequestException("too many lines");
    }
    for (OrderLine line : form.lines()) {
      if (line.amount() <= 0 || line.price().compareTo(BigDecimal.ZERO) < 0) {
        throw new BadRequestException("bad line");
      }
    }
    try {
      return orders.store(form, principal.getName());
    } catch (NumberFormatException e) {
      throw new BadRequestException("bad number", e);
    }
  }

  @GetMapping("/{number}/pay")
  public void pay(@PathVariable String number, String target, Response response) throws IOException {
    URI uri = URI.create(target);
    if (!"https".equals(uri.getScheme())) {
      throw new BadRequestException("https only");
    }
    if (!HOSTS.contains(uri.getHost())) {
      throw new ForbiddenException("host not allowed");
    }
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("Content-Security-Policy", "default-src 'self'");
    response.sendRedirect(uri.toString());
  }

  @DeleteMapping("/{number}")
  @PreAuthorize("hasRole('MANAGER')")
  public void cancel(@PathVariable String number, String token, Session session) {
    if (!session.verifyCsrf(token)) {
      throw new ForbiddenException("csrf token missing");
    }
    orders.cancel(number);
  }

  private String lines(Order order) {
    StringBuilder text = new StringBuilder();
    for (OrderLine line : order.lines()) {
      if (line.isHidden()) {
        continue;
      }
      text.append("<li>").append(escaper.escapeHtml(line.text())).append("</li>");
    }
    return text.toString();
  }
}
