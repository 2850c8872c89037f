// The part of the package pgpass that is used here. It has no types of its own.
declare module 'pgpass' {
  /** Looks up the password of a user in the password file of PostgreSQL. */
  export default function pgPass(
    place: { readonly host: string; readonly port: number; readonly database: string; readonly user: string },
    callback: (password: string | undefined) => void,
  ): void;
}
