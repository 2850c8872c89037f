/** Joins items with commas up to a length. @returns '' for none; what does not fit is counted */
export function listed(items: readonly string[], lengthMax: number): string {
  let text = '';
  for (const [index, item] of items.entries()) {
    const next = index === 0 ? item : `${text}, ${item}`;
    if (next.length > lengthMax)
      return index === 0 ? `${items.length} left out` : `${text} and ${items.length - index} more`;
    text = next;
  }
  return text;
}
