// The frame that log records and snapshot chunks share: a header, and a body in msgpack, which may be packed while its elements are
// added. docs/formats.md describes it. Magic, checksum and length have the same offsets in every format version, so that damage to the
// version is detected as damage.
import { crc32 } from 'node:zlib';
import { Packr } from 'msgpackr';

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
    // Nobody expects a seq beyond the safe integers.
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

/** Plain msgpack without records or shared structures: readable in any language, and self-contained. */
const PACKER = new Packr({ useRecords: false, int64AsType: 'number' });

const INITIAL_BYTES = 1_024;
/** The longest head of a list; it is written before the elements once their number is known. */
const HEAD_BYTES_MAX = 5;
/** More than a number takes, or the head of a list. */
const ELEMENT_BYTES = 9;
/** Longer texts are left to the packer. */
const SHORT_TEXT_MAX = 31;

/**
 * A list in msgpack that is packed as its elements are added: the elements themselves need not be kept until it is written. Its bytes
 * are those that PACKER makes of the whole list.
 */
export class PackedList {
  #count = 0;
  #bytes = Buffer.allocUnsafe(INITIAL_BYTES);
  #end = HEAD_BYTES_MAX;
  /** Where the marked element begins, where the one after it begins, how many come before it, and its value. */
  #markedAt = HEAD_BYTES_MAX;
  #afterMarkedAt = HEAD_BYTES_MAX;
  #markedCount = 0;
  #markedNumber = 0;

  get count(): number {
    return this.#count;
  }

  addNumber(value: number): void {
    this.#number(value);
    this.#count += 1;
    if (this.#count === this.#markedCount + 1) {
      this.#markedNumber = value;
      this.#afterMarkedAt = this.#end;
    }
  }

  /** @param values numbers, texts, booleans, null and lists of them */
  addList(values: readonly unknown[]): void {
    this.#list(values);
    this.#count += 1;
  }

  /** Marks the element that is added next. */
  mark(): void {
    this.#markedAt = this.#end;
    this.#markedCount = this.#count;
  }

  /**
   * Moves the marked element, which is a number, and all that follow it to the end of another list.
   *
   * @param increase added to the number
   */
  moveMarked(to: PackedList, increase: number): void {
    to.addNumber(this.#markedNumber + increase);
    const rest = this.#bytes.subarray(this.#afterMarkedAt, this.#end);
    to.#reserve(rest.length);
    to.#bytes.set(rest, to.#end);
    to.#end += rest.length;
    to.#count += this.#count - this.#markedCount - 1;
    this.#end = this.#markedAt;
    this.#count = this.#markedCount;
  }

  /** The whole list. The bytes are valid until the next element is added. */
  get bytes(): Uint8Array {
    const count = this.#count;
    const end = this.#end;
    const headBytes = headBytesOf(count);
    this.#end = HEAD_BYTES_MAX - headBytes;
    this.#head(count);
    this.#end = end;
    return this.#bytes.subarray(HEAD_BYTES_MAX - headBytes, end);
  }

  #list(values: readonly unknown[]): void {
    this.#reserve(ELEMENT_BYTES);
    this.#head(values.length);
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index];
      if (typeof value === 'number') this.#number(value);
      else if (typeof value === 'string') this.#text(value);
      else if (Array.isArray(value)) this.#list(value);
      else this.#other(value);
    }
  }

  #head(count: number): void {
    if (count < 16) this.#byte(0x90 | count);
    else if (count < 0x1_0000) {
      this.#byte(0xdc);
      this.#end = this.#bytes.writeUInt16BE(count, this.#end);
    } else {
      this.#byte(0xdd);
      this.#end = this.#bytes.writeUInt32BE(count, this.#end);
    }
  }

  #number(value: number): void {
    this.#reserve(ELEMENT_BYTES);
    // Negative integers are rare.
    if (value >>> 0 !== value) this.#other(value);
    else if (value < 0x80) this.#byte(value);
    else if (value < 0x100) {
      this.#byte(0xcc);
      this.#byte(value);
    } else if (value < 0x1_0000) {
      this.#byte(0xcd);
      this.#byte(value >> 8);
      this.#byte(value & 0xff);
    } else {
      this.#byte(0xce);
      this.#byte(value >>> 24);
      this.#byte((value >> 16) & 0xff);
      this.#byte((value >> 8) & 0xff);
      this.#byte(value & 0xff);
    }
  }

  #text(value: string): void {
    const { length } = value;
    if (length > SHORT_TEXT_MAX) {
      this.#other(value);
      return;
    }
    this.#reserve(ELEMENT_BYTES + length);
    const bytes = this.#bytes;
    const start = this.#end + 1;
    for (let index = 0; index < length; index += 1) {
      const unit = value.charCodeAt(index);
      if (unit >= 0x80) {
        this.#other(value);
        return;
      }
      bytes[start + index] = unit;
    }
    this.#byte(0xa0 | length);
    this.#end = start + length;
  }

  #other(value: unknown): void {
    const packed = PACKER.pack(value);
    this.#reserve(packed.length);
    this.#bytes.set(packed, this.#end);
    this.#end += packed.length;
  }

  #byte(value: number): void {
    this.#bytes[this.#end] = value;
    this.#end += 1;
  }

  #reserve(byteCount: number): void {
    const needed = this.#end + byteCount;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = larger;
  }
}

function headBytesOf(count: number): number {
  if (count < 16) return 1;
  return count < 0x1_0000 ? 3 : HEAD_BYTES_MAX;
}
