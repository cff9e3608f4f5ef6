/** Usernames as accounts have them. That of a deleted account has a space. */
const USERNAME = /^[\w.-]{3,20}$/;

/** The page of a player; undefined for somebody who can have none. */
export function playerPath(username: string): string | undefined {
  return USERNAME.test(username) ? `/app/players/${encodeURIComponent(username)}` : undefined;
}
