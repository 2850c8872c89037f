// A configuration file: TOML whose keys are the long names of options, and whose values are what the parsers of those options accept.
// Only this file uses smol-toml.
import type { Option } from 'commander';
import { InvalidArgumentError } from 'commander';
import { parse, TomlError } from 'smol-toml';
import { shownStoreUrl } from '../../persistence/store-url.js';
import { type FileFault, readOperatorFile } from './operator-file.js';
import { sharedKey } from './options.js';

/** What a configuration file says. */
export interface ConfigFile {
  /** What options are set to, as their parsers return it. */
  readonly values: ReadonlyMap<Option, unknown>;
  /** What is wrong, in the order of the file. Values that are wrong are not among the others. */
  readonly faults: FileFault[];
}

/**
 * @param options those that it may set
 * @throws UnfitOperatorFile, or an Error of the operating system, if it cannot be read
 */
export async function readConfigFile(path: string, options: readonly Option[]): Promise<ConfigFile> {
  const { text, isOpenToOthers } = await readOperatorFile(path);
  const table = tableOf(text);
  if ('message' in table) return { values: new Map(), faults: [table] };
  const values = new Map<Option, unknown>();
  const faults: FileFault[] = [];
  for (const [key, given] of table.entries) {
    const line = lineOf(text, key);
    const option = options.find((option) => option.name() === key);
    if (option === undefined) {
      const names = options.map((option) => option.name()).join(', ');
      faults.push({ line, message: `${key} is no option of galaxyd serve. The keys are: ${names}` });
      continue;
    }
    const result = read(option, given);
    if ('fault' in result) faults.push({ line, message: `${key}: ${result.fault}` });
    else if (isOpenToOthers && holdsSecret(option, result.value)) {
      faults.push({ line, message: `${key} is a secret, and others may read this file: chmod o-rwx` });
    } else values.set(option, result.value);
  }
  return { values, faults };
}

/** Whether the value of an option must not be shown. */
export function isSecret(option: Option): boolean {
  return option.parseArg === sharedKey;
}

/** A key, or the URL of a database with a password in it. */
function holdsSecret(option: Option, value: unknown): boolean {
  return isSecret(option) || (option.name() === 'data' && shownStoreUrl(String(value)) !== value);
}

/** @returns the keys with their values, or why the text is not TOML */
function tableOf(text: string): { readonly entries: readonly (readonly [string, unknown])[] } | FileFault {
  try {
    return { entries: Object.entries(parse(text)) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Its further lines quote the file, which may hold a key.
    const [message = ''] = error.message.split('\n');
    return { line: error.line, message: `${message} (column ${error.column})` };
  }
}

type Read = { readonly value: unknown } | { readonly fault: string };

/** The value of an option, by the parser that reads it from the command line. The type in the file must be that of the result. */
function read(option: Option, given: unknown): Read {
  if (option.isBoolean()) return typeof given === 'boolean' ? { value: given } : { fault: 'It must be true or false.' };
  const text = textOf(given);
  if (text === null) return { fault: `It takes ${kindOf(option)}.` };
  try {
    const value = option.parseArg === undefined ? text : option.parseArg<unknown>(text, undefined);
    if (typeof given === 'string' && typeof value === 'number')
      return { fault: 'It must be a number, without quotes.' };
    if (typeof given === 'number' && typeof value !== 'number') return { fault: 'It must be text in quotes.' };
    if (Array.isArray(given) && !Array.isArray(value)) return { fault: `It takes ${kindOf(option)}, and no list.` };
    return { value };
  } catch (error) {
    if (error instanceof InvalidArgumentError) return { fault: error.message };
    throw error;
  }
}

/** As it would be written on the command line. Null if it is neither text nor a number nor a list of texts. */
function textOf(given: unknown): string | null {
  if (typeof given === 'string') return given;
  if (typeof given === 'number') return String(given);
  const isList = Array.isArray(given) && given.every((item) => typeof item === 'string' && !item.includes(','));
  return isList ? given.join(',') : null;
}

/** What an option takes, as --help says it: `<number>, "port to listen on"`. */
function kindOf({ argChoices, flags, description }: Option): string {
  if (argChoices !== undefined) return argChoices.map((choice) => JSON.stringify(choice)).join(' or ');
  return `${flags.slice(flags.indexOf('<'))}, "${description}"`;
}

/** The line in which a key is set; null if it is not found. The library reports no places. */
function lineOf(text: string, key: string): number | null {
  const index = text.split('\n').findIndex((line) => KEY.exec(line)?.slice(1).includes(key));
  return index < 0 ? null : index + 1;
}

/** The first part of a key, or of the name of a table, plain or in quotes. */
const KEY = /^\s*\[*\s*(?:([\w-]+)|"([^"]*)"|'([^']*)')\s*[.=\]]/;
