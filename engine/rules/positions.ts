// Where a type stands in its list. The engine knows types by these positions only.

/** @throws RangeError if the list has no such type */
export function positionOf(rules: readonly { readonly type: string }[], type: string): number {
  const position = rules.findIndex((rule) => rule.type === type);
  if (position < 0) throw new RangeError(`the rule set has no ${type}`);
  return position;
}
