const XSRF_COOKIE = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/;

/** What the server wants to see in `X-XSRF-TOKEN`; absent before it gave one. */
export function xsrfToken(): string | undefined {
  const value = XSRF_COOKIE.exec(document.cookie)?.[1];
  return value === undefined ? undefined : decodeURIComponent(value);
}
