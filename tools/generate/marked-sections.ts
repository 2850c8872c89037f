// Documents that are written by hand, with generated parts between marks.

/** Texts by the name of their marks, `<!-- begin name -->` and `<!-- end name -->`. */
export type Sections = Readonly<Record<string, () => string>>;

/**
 * Returns a document with its generated parts replaced.
 *
 * @param document text of the document
 * @throws Error if a section has no marks
 */
export function renewSections(document: string, sections: Sections): string {
  let renewed = document;
  for (const [name, content] of Object.entries(sections)) {
    const marks = new RegExp(`(<!-- begin ${name} -->\\n)[^]*?(<!-- end ${name} -->)`);
    if (!marks.test(renewed)) throw new Error(`the document has no marks for ${name}`);
    renewed = renewed.replace(marks, (_match, begin: string, end: string) => `${begin}${content()}\n${end}`);
  }
  return renewed;
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
