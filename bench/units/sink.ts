// Where results go, so that no compiler may find that nobody wants them.

let kept: unknown;
let count = 0;

/** Takes a result in. Storing it where other code could read it is enough: it must exist. */
export function consume(result: unknown): void {
  kept = result;
  count += 1;
}

/** What was taken in last, and how many in all. */
export function consumed(): { readonly last: unknown; readonly count: number } {
  return { last: kept, count };
}
