// Texts that are nearly right: what reads a text by hand must refuse them, or read them as a parser does.

const UNITS = ['', '"', '\\', '0', '-', '.', 'e', ' ', ',', '}', '{', '\n', '\u007f', 'ü', '\ud800', '/', '?'];

/** The text with one character left out, replaced or doubled, and with one added at its end. */
export function* variantsOf(text: string): Generator<string> {
  for (let at = 0; at <= text.length; at += 1) {
    const [start, rest] = [text.slice(0, at), text.slice(at + 1)];
    for (const unit of [...UNITS, text.charAt(at).repeat(2)]) yield start + unit + rest;
  }
}
