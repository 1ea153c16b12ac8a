# ruff: noqa: E501 - patterns read better on one line
"""Protections that are marks or calls by name, in languages without a grammar of ours: what must not go or come."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from scaffold_cli.anchoring.declared.rule import Rule, pattern

_RUBY = ("*.rb", "*.rake", "*.erb")
_PHP = ("*.php", "*.phtml")
_DOTNET = ("*.cs", "*.cshtml", "*.razor", "*.vb", "*.fs")
_JVM = ("*.kt", "*.kts", "*.scala", "*.groovy")
_SCRIPT = ("*.ts", "*.mts", "*.cts", "*.tsx", "*.js", "*.mjs", "*.cjs", "*.jsx")
_ELIXIR = ("*.ex", "*.exs")
_ASKS = r"\w*(auth|login|sign|admin|owner|perm|role|verif|check|ensure|require|restrict|access|forbid|deny|tenant|scope|throttle|limit|csrf|protect|valid)\w*[!?]?"

_cased = partial(pattern, cased=True)
"""Names in these languages differ by the case of their letters."""

MARKS: Sequence[Rule] = (
    Rule("bounded-call-dropped", ("*.c", "*.h", "*.cc", "*.cpp", "*.cxx", "*.hpp", "*.m", "*.mm"), "writes without a bound where it had one", _cased(r"(?<![\w.>])(?:std::)?(strcpy|strcat|sprintf|vsprintf|gets|wcscpy|wcscat|stpcpy)\s*\("), _cased(r"(?<![\w.>])(?:std::)?(strn?lcpy|strncpy|strncat|strlcat|v?snprintf|fgets|wcsncpy|wcsncat|stpncpy|\w+_s)\s*\(")),
    Rule("access-mark-dropped", _SCRIPT, "no longer asks who it is, or what it is given", None, _cased(r"@UseGuards\(|\b\w+Guard\b(?=[\w\s,()'\"]*\)\s*$)|\bParse\w+Pipe\b|\bValidationPipe\b|@Is[A-Z]\w*\(|@(Max|Min)?Length\(|@Roles\("), moves=True),
    Rule("access-mark-dropped", _SCRIPT, "takes a token signed in any way", None, _cased(r"\balgorithms\s*:\s*\["), moves=True),
    Rule("server-access-opened", _SCRIPT, "lets pages of every origin ask", _cased(r"\borigin\s*:\s*(true\b|['\"`]\*)"), _cased(r"\borigin\s*:\s*(?!true\b|['\"`]\*)\S+")),
    Rule("guard-replaced", _SCRIPT, "changes what a part of the language, or of another module, does", _cased(r"\b(RegExp|String|Array|Object|Function|Number|Map|Set|Promise|Date|Buffer|URL)\.prototype\.\w+\s*=(?!=)|\b(JSON|Math|Object|crypto|Reflect|process)\.\w+\s*=(?!=)|\brequire\([^)\n]*\)\.\w+\s*=(?!=)"), added=True),
    Rule("guard-replaced", ("*.py",), "changes from where modules are loaded", _cased(r"\bsys\.(meta_path|path_hooks)\b[^\n]*(insert|append|=)|\bsys\.path\.insert\(\s*0\b|\bsys\.path\[(:0|0:0)\]\s*=|\bsite\.addsitedir\("), added=True),
    Rule("list-emptied", ("*settings*.py", "*config*.py", "settings/*.py", "*/settings/*.py"), "empties a list of protections", _cased(r"\w*(VALIDATORS|MIDDLEWARE\w*|PERMISSION_CLASSES|AUTHENTICATION_BACKENDS|AUTHENTICATION_CLASSES|THROTTLE_CLASSES|PASSWORD_HASHERS)\W{1,4}[\[(]\s*[\])]")),
    Rule("access-mark-dropped", _RUBY, "no longer asks who it is before it acts", None, _cased(rf"^\s*(?:prepend_)?before_(?:action|filter)\s*[(\s]:{_ASKS}|^\s*(protect_from_forgery|http_basic_authenticate_with|force_ssl|load_and_authorize_resource|authorize_resource|verify_authorized|verify_policy_scoped|authenticate_with|rate_limit)\b|\bauthorize!?[ (]|\bpolicy_scope\b|\bauthenticate_or_request_with"), moves=True),
    Rule("access-mark-dropped", _RUBY, "acts without asking where it asked", _cased(r"^\s*skip_(before_action|before_filter|authorization_check|authorize_resource|forgery_protection|after_action|verify_authorized)\b|^\s*(?:prepend_)?before_(?:action|filter)\b[^\n]*\b(except|if|unless):|^\s*protect_from_forgery\b[^\n]*(except|null_session|if|unless)\b|\.permit!")),
    Rule("access-mark-dropped", _RUBY, "lets requests set what decides over rights", _cased(r"\bpermit\([^)\n]*:(is_)?(admin|superuser|staff|roles?|role_ids?|owner(_id)?|user_id|account_id|tenant_id|permissions?|verified|confirmed_at|password_digest|balance|credits)\b")),
    Rule("output-unescaped", _RUBY, "writes a value into the page as it is", _cased(r"\.html_safe\b|\braw[( ]|<%==")),
    Rule("access-mark-dropped", _PHP, "no longer asks who it is before it acts", None, _cased(r"->middleware\(\s*\[?\s*['\"](auth|can|verified|throttle|signed|role|permission|password)|#\[(IsGranted|Security|CurrentUser)|@(IsGranted|Security)\(|\bdenyAccessUnlessGranted\(|\b(check_admin_referer|check_ajax_referer|wp_verify_nonce|current_user_can|is_user_logged_in)\(|\bGate::(authorize|denies|allows)|->authorize\(|\bcsrf_(field|token)\(|\bverify_csrf|->(validate|validated)\(|\bpassword_verify\(|\bhash_equals\(|\bsession_regenerate_id\("), moves=True),
    Rule("output-unescaped", _PHP, "writes a value into the page as it is", None, _cased(r"\b(htmlspecialchars|htmlentities|esc_html|esc_attr|esc_url|esc_js|wp_kses\w*|strip_tags|escapeshellarg|escapeshellcmd|sanitize_\w+|filter_var|basename|realpath|mysqli_real_escape_string)\("), moves=True),
    Rule("query-from-text", _PHP, "builds a query out of text", _cased(r"(->|::)(query|exec|raw|select|statement|get_results|get_var|get_row)\(\s*([^;\n]*?(['\"]\s*\.\s*\$|\{\$|\"[^\"\n]*\$\w))|\bmysqli?_query\([^;\n]*(\.\s*\$|\"[^\"\n]*\$\w)"), _cased(r"(->|::)prepare\(|->(bindParam|bindValue|bind_param)\(|\bexecute\(\s*\[")),
    Rule("access-mark-dropped", _DOTNET, "no longer asks who it is before it acts", None, _cased(r"\[(Authorize|ValidateAntiForgeryToken|AutoValidateAntiforgeryToken|RequireHttps|EnableRateLimiting|PrincipalPermission|RequiredScope|ClaimsPrincipalPermission|ApiController|Required|Range|StringLength|MaxLength|RegularExpression)\b|\.(RequireAuthorization|RequireRateLimiting|UseAuthentication|UseAuthorization|UseHttpsRedirection|UseHsts|UseAntiforgery|UseRateLimiter)\(|<AuthorizeView\b|@attribute \[Authorize"), moves=True),
    Rule("access-mark-dropped", _DOTNET, "acts without asking where it asked", _cased(r"\[(AllowAnonymous|IgnoreAntiforgeryToken|DisableRateLimiting|DisableRequestSizeLimit)\b|ValidateInput\(false\)|\.(AllowAnonymous|DisableAntiforgery)\(")),
    Rule("output-unescaped", _DOTNET, "writes a value into the page as it is", _cased(r"\bHtml\.Raw\(|\bMarkupString\b")),
    Rule("access-mark-dropped", _JVM, "no longer asks who it is before it acts", None, _cased(r"@(PreAuthorize|PostAuthorize|PreFilter|PostFilter|Secured|RolesAllowed|DenyAll|Valid|Validated|RequiresPermission|RequiresPermissions|RequiresRoles|Authenticated|RateLimiter|NotBlank|NotNull|Size|Pattern|Max|Min)\b|\bauthenticate\s*\(\s*\""), moves=True),
    Rule("access-mark-dropped", _JVM, "acts without asking where it asked", _cased(r"@(PermitAll|Anonymous|CrossOrigin)\b")),
    Rule("access-mark-dropped", _ELIXIR, "no longer asks who it is before it acts", None, _cased(rf"^\s*(?:plug|on_mount)\s*[( ]:{_ASKS}|^\s*plug\s+\S*(Auth|Guardian|Csrf|CSRF|SSL|RateLimit)\w*"), moves=True),
    Rule("access-mark-dropped", ("*.rs",), "no longer asks who it is, or gives up safety of memory", None, _cased(r"#\[(authorize|has_permissions?|has_roles?|guard|protect\w*|requires?_\w+)\b|#!?\[(forbid|deny)\(unsafe_code\)|\.(wrap|layer|route_layer)\([^)\n]*(Auth|RateLimit|Csrf|Guard)"), moves=True),
    Rule("access-mark-dropped", ("*.rs",), "goes without a check it made", _cased(r"\bdanger_accept_invalid_\w+\(\s*true|\bget_unchecked(_mut)?\(|\bfrom_utf8_unchecked\(|\bunwrap_unchecked\(")),
    Rule("access-mark-dropped", ("*.sol",), "no longer asks who calls", None, _cased(r"\bonly(Owner|Admin|Role|Minter|Governance|Operator|Pauser|[A-Z]\w*)\b|\b(nonReentrant|whenNotPaused|initializer)\b|\brequire\s*\([^)\n]*msg\.sender"), moves=True),
    Rule("access-mark-dropped", ("*.sol",), "asks who began and not who calls", _cased(r"\btx\.origin\b")),
    Rule("access-mark-dropped", ("*.swift", "*.plist", "*.m", "*.mm", "*.dart"), "trusts connections it did not trust", _cased(r"NSAllowsArbitraryLoads|\.useCredential,|badCertificateCallback\s*=[^;\n]*=>\s*true|kSecAttrAccessibleAlways\b")),
    Rule("access-mark-dropped", ("androidmanifest.xml", "*/androidmanifest.xml"), "opens a part to other programs, or is laxer", _cased(r"android:(exported|debuggable|usesCleartextTraffic|allowBackup)=\"true\"")),
    Rule("access-mark-dropped", ("androidmanifest.xml", "*/androidmanifest.xml", "web.xml", "*/web.xml"), "no longer asks for a permission", None, _cased(r"android:permission=\"|android:protectionLevel=\"signature|<(security-constraint|auth-constraint|role-name|http-only|secure|transport-guarantee)>"), moves=True),
    Rule("access-mark-dropped", ("web.config", "*/web.config"), "no longer asks who it is", None, _cased(r"<deny\b|requestValidationMode|validateRequest=\"true\"|requireSSL=\"true\"|httpOnlyCookies=\"true\"|customErrors mode=\"(On|RemoteOnly)\""), moves=True),
)  # fmt: skip
