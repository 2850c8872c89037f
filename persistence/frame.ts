// The frame that log records and snapshot chunks share: a header, and a body in msgpack. docs/formats.md describes it. Magic,
// checksum and length have the same offsets in every format version, so that damage to the version is detected as damage.
import { crc32 } from 'node:zlib';
import { PACKER, PackedList } from './packed-list.js';

const CHECKSUM_AT = 4;
const CHECKED_FROM = 8;
const BODY_LENGTH_AT = 8;
const FORMAT_AT = 12;
const RULES_AT = 14;
const COUNT_AT = 16;
const SEQ_AT = 20;
const HASH_AT = 28;
const HASH_LENGTH = 16;
/** Bytes of the header that every frame has. */
export const COMMON_HEADER_LENGTH: number = HASH_AT + HASH_LENGTH;

/** What the header says, besides checksum, length and format. */
export interface FrameHead {
  readonly rulesVersion: number;
  /** Number of things in the body. */
  readonly count: number;
  readonly seq: number;
  /** HASH_LENGTH bytes. */
  readonly hash: Uint8Array;
}

export class FrameFormat {
  /**
   * @param magic the first four bytes
   * @param formatVersion the only one that this program writes and reads
   * @param headerLength COMMON_HEADER_LENGTH, or more if the header has fields of its own behind the common ones
   */
  constructor(
    readonly magic: number,
    readonly formatVersion: number,
    readonly headerLength: number,
  ) {}

  /**
   * @param body numbers, strings, booleans, null and arrays of them, to be packed as msgpack; or a list that is packed already
   * @param ownField unsigned, four bytes behind the common header, if the header has room for it
   */
  encode({ rulesVersion, count, seq, hash }: FrameHead, body: unknown, ownField?: number): Buffer {
    const packed = body instanceof PackedList ? body.bytes : PACKER.pack(body);
    const bytes = Buffer.allocUnsafeSlow(this.headerLength + packed.length);
    bytes.writeUInt32BE(this.magic, 0);
    bytes.writeUInt32BE(packed.length, BODY_LENGTH_AT);
    bytes.writeUInt16BE(this.formatVersion, FORMAT_AT);
    bytes.writeUInt16BE(rulesVersion, RULES_AT);
    bytes.writeUInt32BE(count, COUNT_AT);
    bytes.writeBigUInt64BE(BigInt(seq), SEQ_AT);
    bytes.set(hash, HASH_AT);
    if (ownField !== undefined) bytes.writeUInt32BE(ownField, COMMON_HEADER_LENGTH);
    bytes.set(packed, this.headerLength);
    bytes.writeUInt32BE(checksumOf(bytes), CHECKSUM_AT);
    return bytes;
  }

  /** Whether a frame of this format begins here. */
  beginsAt(bytes: Buffer, at = 0): boolean {
    return bytes.readUInt32BE(at) === this.magic;
  }

  /** Bytes of the frame that begins here, as its header says. */
  lengthAt(bytes: Buffer, at = 0): number {
    return this.headerLength + bytes.readUInt32BE(at + BODY_LENGTH_AT);
  }

  isChecksumRight(bytes: Buffer): boolean {
    return bytes.readUInt32BE(CHECKSUM_AT) === checksumOf(bytes);
  }

  /** Whether only the length in the header is damaged: with the true length, the checksum matches. */
  isWholeButForLength(bytes: Buffer): boolean {
    const mended = Buffer.from(bytes);
    mended.writeUInt32BE(bytes.length - this.headerLength, BODY_LENGTH_AT);
    return this.isChecksumRight(mended);
  }

  isFormatKnown(bytes: Buffer): boolean {
    return bytes.readUInt16BE(FORMAT_AT) === this.formatVersion;
  }

  /** @throws whatever the body cannot be unpacked for */
  body(bytes: Buffer): unknown {
    return PACKER.unpack(bytes.subarray(this.headerLength));
  }
}

/** @param bytes of a frame whose checksum is right. The hash is a view of them. */
export function headOf(bytes: Buffer): FrameHead {
  return {
    rulesVersion: bytes.readUInt16BE(RULES_AT),
    count: bytes.readUInt32BE(COUNT_AT),
    // One beyond the safe integers is no seq that anybody expects.
    seq: Number(bytes.readBigUInt64BE(SEQ_AT)),
    hash: hashOf(bytes),
  };
}

/** The hash in a header, as a view; shorter if the frame is shorter than a header. */
export function hashOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(HASH_AT, COMMON_HEADER_LENGTH);
}

export function ownFieldOf(bytes: Buffer): number {
  return bytes.readUInt32BE(COMMON_HEADER_LENGTH);
}

/** A view of bytes as a Buffer, whose readers the frame needs. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function checksumOf(bytes: Buffer): number {
  return crc32(bytes.subarray(CHECKED_FROM));
}
