/** Headers of every response. Responses that a browser displays have policies of their own. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The content security policy of the pages, and of the files that they load. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/**
 * The policy of a backtest's report, which has styles, but no scripts, and loads nothing. The sandbox also takes its
 * origin away.
 */
export const REPORT_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'";
