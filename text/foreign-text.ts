// Text that somebody else wrote, as one line in which everything can be seen: for terminals, logs, and documents that language
// models read. The only place that decides which characters are shown as they are. It knows nothing of the game.

/** What every reader shows as it is; most texts have nothing else. */
const PLAIN = /^[ -~]*$/;

/**
 * Characters that are not seen: controls, format characters, selectors, tags, fillers, ends of lines, and what Unicode does not
 * define, or leaves to private agreements.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}]/v;
/** A recommended emoji (UTS 51) may need joiners, selectors and tags. */
const EMOJI = /^\p{RGI_Emoji}$/v;
/** Slow, since there are thousands of emoji. */
const EMOJI_OR_UNSEEN = new RegExp(`\\p{RGI_Emoji}|${UNSEEN.source}`, 'gv');

/** What could end a quotation, a cell of a table or a block, or look like the mark-up of a prompt. */
const MARK_UP = /[`<>|]/g;

/**
 * The text as one line without unseen characters: they become escapes of JSON, so JSON stays the JSON that it is. A terminal takes
 * nothing in it as a command, and it cannot look like several lines.
 */
export function shownText(text: string): string {
  return PLAIN.test(text)
    ? text
    : text.replace(EMOJI_OR_UNSEEN, (found) => (EMOJI.test(found) ? found : escaped(found)));
}

/** The first character of a text that is not seen; undefined if there is none. Those within whole emoji are. */
export function firstUnseen(text: string): string | undefined {
  if (PLAIN.test(text) || !UNSEEN.test(text)) return undefined;
  return text.match(EMOJI_OR_UNSEEN)?.find((found) => !EMOJI.test(found));
}

/** The same as shownText(), for Markdown that a language model reads. */
export function foreignText(text: string): string {
  return shownText(text).replace(MARK_UP, escaped);
}

/** The same in quotes, which nothing in it can end. */
export function foreignQuotation(text: string): string {
  return foreignText(JSON.stringify(text));
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Its UTF-16 code units as JSON writes them. */
function escaped(character: string): string {
  return SHORT[character] ?? Array.from({ length: character.length }, (_, index) => unit(character, index)).join('');
}

function unit(text: string, index: number): string {
  return `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`;
}

/** What a text stands for as JSON (RFC 8259); undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The content of a text file without the byte order mark that some editors put before it. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
