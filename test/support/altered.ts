// Objects of which a test replaces some members, or comes around all of their methods.

/** @param members take the place of those of the object; the object itself is not changed */
export function altered<T extends object>(object: T, members: Partial<T>): T {
  return new Proxy(object, {
    get(_, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const member: unknown = Reflect.get(object, name);
      // Methods with private fields work only on the object.
      return typeof member === 'function' ? member.bind(object) : member;
    },
  });
}

type Settled<Method> = Method extends (...given: never[]) => Promise<infer Value> ? Value : never;

/**
 * @param carry comes around each call of a method: `call` makes it
 * @returns an object of whose methods each returns what `carry` returns
 */
export function around<T extends object>(
  object: T,
  carry: <Name extends keyof T>(name: Name, call: () => Promise<Settled<T[Name]>>) => Promise<unknown>,
): T {
  return new Proxy(object, {
    get(_, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => carry(name as keyof T, () => Reflect.apply(member, object, given));
    },
  });
}
