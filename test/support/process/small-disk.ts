// A small disk for a test: an ext4 image in a file, mounted where only the test and its children see it. It disappears
// when the test ends, for whatever reason. Needs root, mkfs.ext4 and a kernel that allows it.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, copyFile, mkdir, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';

const run = promisify(execFile);
const MIB = 1024 * 1024;
/** The file system's own flushes are rarer than the duration of any test: only requested flushes reach the image. */
const MOUNT_OPTIONS = 'loop,noatime,commit=300';
/** Mounts in a mount namespace of its own, and keeps it until standard input ends. */
const HOLD = 'mount -o "$1" "$2" "$3" && echo mounted && read -r line; true';

export class SmallDisk {
  /** Prefix of a command that can see the disk. */
  readonly by: readonly string[];
  /** The disk's root as those commands see it. */
  readonly folder: string;
  /** The disk's root as the test sees it. */
  readonly seenFolder: string;
  readonly #image: string;
  readonly #holder: ChildProcess;

  private constructor(holder: ChildProcess, image: string, folder: string) {
    this.by = ['nsenter', `--mount=/proc/${holder.pid}/ns/mnt`, '--wd=/', '--'];
    this.folder = folder;
    this.seenFolder = `/proc/${holder.pid}/root${folder}`;
    this.#image = image;
    this.#holder = holder;
  }

  /** @returns the disk, or the reason why there can be none here */
  static async make(t: Test, mebibytes: number): Promise<SmallDisk | string> {
    if (process.getuid?.() !== 0) return 'only root can mount a disk';
    const image = join(await temporaryFolder(t), 'image');
    try {
      await writeFile(image, '');
      await truncate(image, mebibytes * MIB);
      await run('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
      return await SmallDisk.#mount(t, image);
    } catch (error) {
      return `no disk can be mounted here: ${error instanceof Error ? error.message : error}`;
    }
  }

  /**
   * What a power cut leaves: the bytes that have reached the disk, without those that are still in memory.
   *
   * @returns a disk with these bytes; this one must not be used any more
   */
  async afterPowerCut(t: Test): Promise<SmallDisk> {
    const image = join(await temporaryFolder(t), 'image');
    await copyFile(this.#image, image);
    await this.#unmount();
    return await SmallDisk.#mount(t, image);
  }

  /** Bytes free. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.seenFolder);
    return bavail * bsize;
  }

  /** Writes until only `freeBytes` are free. */
  async fill(freeBytes = 0): Promise<void> {
    const ballast = join(this.seenFolder, 'ballast');
    const piece = Buffer.alloc(64 * 1024, 1);
    for (let excess = (await this.freeBytes()) - freeBytes; excess > 0; excess -= piece.length) {
      try {
        await appendFile(ballast, piece.subarray(0, Math.min(piece.length, excess)));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return;
        throw error;
      }
    }
  }

  /** Makes the disk read-only, as the system does after an error of the disk, or writable again. */
  async remount(mode: 'ro' | 'rw'): Promise<void> {
    await run('env', [...this.by, 'mount', '-o', `remount,${mode}`, this.folder]);
  }

  /** Removes what fill() has written. */
  async relieve(): Promise<void> {
    await rm(join(this.seenFolder, 'ballast'), { force: true });
  }

  static async #mount(t: Test, image: string): Promise<SmallDisk> {
    const folder = join(await temporaryFolder(t), 'disk');
    await mkdir(folder);
    const args = ['--mount', '--propagation', 'private', 'sh', '-c', HOLD, 'sh', MOUNT_OPTIONS, image, folder];
    const holder = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const disk = new SmallDisk(holder, image, folder);
    t.teardown(() => disk.#unmount());
    let complaint = '';
    holder.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    const isMounted = await Promise.race([
      once(holder.stdout, 'data').then(() => true),
      once(holder, 'close').then(() => false),
    ]);
    if (!isMounted) throw new Error(complaint.trim());
    return disk;
  }

  /** The namespace ends with its last process, and the mount with it. */
  async #unmount(): Promise<void> {
    if (this.#holder.exitCode !== null || this.#holder.signalCode !== null) return;
    const ended = once(this.#holder, 'close');
    this.#holder.stdin?.end();
    await ended;
  }
}
