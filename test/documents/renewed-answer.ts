// Brings an answer that a document shows up to date: the fields that it shows and their layout stay, their values become those of the
// server. A value whose shape has changed is written anew on one line.

/** @param shown JSON as the document shows it, abridged. @param actual the whole answer. @returns the text with the values of now */
export function renewedAnswer(shown: string, actual: unknown): string {
  return new Renewal(shown).text(actual);
}

class Renewal {
  #at = 0;

  constructor(private readonly shown: string) {}

  text(actual: unknown): string {
    const text = this.#space() + this.#value(actual);
    return text + this.shown.slice(this.#at);
  }

  #value(actual: unknown): string {
    const first = this.shown[this.#at];
    if (first === '{') return this.#object(actual);
    if (first === '[') return this.#array(actual);
    const [token = ''] = /^(?:"(?:[^"\\]|\\.)*"|[^\s,\]}]+)/.exec(this.shown.slice(this.#at)) ?? [];
    this.#at += token.length;
    if (actual === undefined) throw new Error(`the answer no longer has what stands at ${this.#at} of ${this.shown}`);
    return JSON.stringify(actual) === JSON.stringify(JSON.parse(token)) ? token : written(actual);
  }

  #object(actual: unknown): string {
    const members: Readonly<Record<string, unknown>> = { ...(actual as object) };
    let text = this.#taken('{') + this.#space();
    while (this.shown[this.#at] !== '}') {
      const [key = ''] = /^"[^"]*"/.exec(this.shown.slice(this.#at)) ?? [];
      text += this.#taken(key) + this.#space() + this.#taken(':') + this.#space();
      text += this.#value(members[JSON.parse(key)]) + this.#space();
      if (this.shown[this.#at] === ',') text += this.#taken(',') + this.#space();
    }
    return text + this.#taken('}');
  }

  /** Entries that are shown are the first ones of the answer. */
  #array(actual: unknown): string {
    const entries = Array.isArray(actual) ? actual : [];
    let text = this.#taken('[') + this.#space();
    for (let index = 0; this.shown[this.#at] !== ']'; index += 1) {
      text += this.#value(entries[index]) + this.#space();
      if (this.shown[this.#at] === ',') text += this.#taken(',') + this.#space();
    }
    return text + this.#taken(']');
  }

  #space(): string {
    const [space = ''] = /^\s*/.exec(this.shown.slice(this.#at)) ?? [];
    return this.#taken(space);
  }

  #taken(token: string): string {
    if (!this.shown.startsWith(token, this.#at)) throw new Error(`${token} is not at ${this.#at} of ${this.shown}`);
    this.#at += token.length;
    return token;
  }
}

/** Writes a space after each comma and colon, as the documents do. */
function written(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/([[{])\n\s*/g, (_, bracket: string) => (bracket === '{' ? '{ ' : '['))
    .replace(/\n\s*([\]}])/g, (_, bracket: string) => (bracket === '}' ? ' }' : ']'))
    .replace(/,\n\s*/g, ', ');
}
