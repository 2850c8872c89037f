// Which release of uWebSockets.js a test runs over.
import { defaultTransport, nativeLibrary } from '../../http/world-server.js';

/** Whether the native part loads, and is of a current release: older ones do not export this. */
export const isCurrentRelease: boolean = defaultTransport() === 'native' && 'arm' in nativeLibrary();
