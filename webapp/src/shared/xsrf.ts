const XSRF_COOKIE = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/;

/** The value of the `X-XSRF-TOKEN` header; absent until the server has set the cookie. */
export function xsrfToken(): string | undefined {
  const value = XSRF_COOKIE.exec(document.cookie)?.[1];
  return value === undefined ? undefined : decodeURIComponent(value);
}
