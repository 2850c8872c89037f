// How many requests the server still accepts, by the headers RateLimit-Policy and RateLimit of its replies
// (draft-ietf-httpapi-ratelimit-headers-10). The client slows down before the limit, so that it is not refused.

interface Policy {
  /** Units that can be saved up. */
  readonly quota: number;
  readonly unitsPerMs: number;
}

export class Quota {
  #policy: Policy | null = null;
  #units = 0;
  #atMs = 0;

  /**
   * Reserves the cost of a request, or says how long to wait before the next try.
   *
   * @param cost of the request: one for each operation
   * @param nowMs of any clock that runs evenly
   * @returns 0 if it may be sent now
   */
  reserve(cost: number, nowMs: number): number {
    if (this.#policy === null) return 0;
    const { quota, unitsPerMs } = this.#policy;
    const needed = Math.min(cost, quota);
    this.#units = Math.min(quota, this.#units + (nowMs - this.#atMs) * unitsPerMs);
    this.#atMs = nowMs;
    if (this.#units < needed) return Math.ceil((needed - this.#units) / unitsPerMs);
    this.#units -= needed;
    return 0;
  }

  /**
   * Learns from a reply.
   *
   * @param costInFlight of requests that are not answered yet: the server may not have counted them
   */
  note(headers: Headers, costInFlight: number, nowMs: number): void {
    const policies = itemsOf(headers.get('ratelimit-policy'));
    const states = itemsOf(headers.get('ratelimit'));
    for (const [name, { r: remaining }] of states) {
      const { q: quota, w: windowSeconds } = policies.get(name) ?? {};
      if (remaining === undefined || quota === undefined || windowSeconds === undefined) continue;
      if (quota <= 0 || windowSeconds <= 0) continue;
      this.#policy = { quota, unitsPerMs: quota / (windowSeconds * 1000) };
      this.#units = remaining - costInFlight;
      this.#atMs = nowMs;
      return;
    }
  }
}

/** A list of quoted names with numeric parameters, such as `"requests";q=600;w=60`. What is not of this form is skipped. */
function itemsOf(header: string | null): Map<string, Partial<Record<string, number>>> {
  const items = new Map<string, Partial<Record<string, number>>>();
  for (const item of header?.split(',') ?? []) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const values = parameters.map((parameter): [string, number] => {
      const [key = '', value = ''] = parameter.split('=');
      return [key, Number(value)];
    });
    items.set(name, Object.fromEntries(values.filter(([, value]) => Number.isFinite(value))));
  }
  return items;
}
