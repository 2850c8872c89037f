// Tests that use fetch import this: its connections stay open for four seconds after the last request, and keep the process alive.
import tap from 'tap';

tap.teardown(() => {
  const dispatcher = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1')) as
    | { destroy(): unknown }
    | undefined;
  dispatcher?.destroy();
});
