// IP addresses as text. An IPv4-mapped IPv6 address (::ffff:192.0.2.1) becomes IPv4, so that every address has one
// form.
import { isIPv4, isIPv6 } from 'node:net';

const MAPPED_PREFIX = '::ffff:';

/** @param bytes 4 or 16, as the native server passes them; '' is returned for any other number */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return `${bytes[0]}.${bytes[1]}.${bytes[2]}.${bytes[3]}`;
  if (bytes.length !== 16) return '';
  if (bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255) {
    return bytes.subarray(12).join('.');
  }
  const groups = Array.from({ length: 8 }, (_, group) => ((bytes[2 * group] ?? 0) << 8) | (bytes[2 * group + 1] ?? 0));
  // The URL parser shortens addresses as RFC 5952 requires.
  return new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]`).hostname.slice(1, -1);
}

/** The canonical form of an address given as text. */
export function plainAddress(text: string): string {
  const lower = text.toLowerCase();
  const rest = lower.startsWith(MAPPED_PREFIX) ? lower.slice(MAPPED_PREFIX.length) : '';
  if (isIPv4(rest)) return rest;
  if (!isIPv6(lower) || lower.includes('%')) return lower;
  const short = new URL(`http://[${lower}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED_GROUPS.exec(short) ?? [];
  return high === undefined || low === undefined ? short : ipv4Of(Number.parseInt(high, 16), Number.parseInt(low, 16));
}

/** An IPv4-mapped address as the URL parser writes it. */
const MAPPED_GROUPS = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

function ipv4Of(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** True for 127.0.0.0/8 and ::1. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

/**
 * What identifies a client: an IPv4 address, or the IPv6 network of 64 bits that a subscriber has (RFC 6177), who could
 * otherwise use any number of addresses. The loopback address is a client of its own.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || !isIPv6(address) || isLoopback(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const tailGroups = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, IPV6_GROUPS - groups.length - tailGroups.length)).fill('0');
  return `${[...groups, ...zeros, ...tailGroups].slice(0, IPV6_GROUPS / 2).join(':')}::/64`;
}

const IPV6_GROUPS = 8;
