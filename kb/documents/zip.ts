import { unzipSync } from 'fflate';
import { inFigures, MOST_FILES_PACKED, MOST_UNPACKED } from './document-limits.ts';
import { Unreadable } from './unit.ts';

/** The highest compression ratio of a large text; a higher one is an attack. */
const TIGHTEST = 400;
const A_LITTLE = 16 * 1024 * 1024;

/** The first bytes of an old Office file, and of a new one with a password. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

/**
 * The wanted files of an archive. Sizes are checked in the archive's directory before anything is unpacked, and no file
 * may grow beyond its stated size.
 *
 * @throws {Unreadable} if the file is no such archive, or exceeds a limit.
 */
export function unzip(bytes: Uint8Array, isWanted: (name: string) => boolean): Map<string, Uint8Array> {
  if (COMPOUND_FILE.every((byte, i) => bytes[i] === byte)) {
    const isEncrypted = Buffer.from(bytes).includes(Buffer.from('EncryptedPackage', 'utf16le'));
    throw new Unreadable(
      isEncrypted
        ? 'is encrypted: save it without a password'
        : 'is an old Office file: save it in the format of today',
    );
  }
  let unpacked = 0;
  let packed = 0;
  let files = 0;
  try {
    const found = unzipSync(bytes, {
      filter: ({ name, size, originalSize }) => {
        if (++files > MOST_FILES_PACKED)
          throw new Unreadable(`holds more than ${inFigures(MOST_FILES_PACKED)} files: divide it`);
        if (!isWanted(name)) return false;
        packed += size;
        unpacked += originalSize;
        if (unpacked > MOST_UNPACKED)
          throw new Unreadable(
            `is larger than ${MOST_UNPACKED / 1024 ** 2} MiB when it is unpacked: divide it`,
          );
        if (unpacked > A_LITTLE && unpacked > packed * TIGHTEST)
          throw new Unreadable('is packed more tightly than any document');
        return true;
      },
    });
    return new Map(Object.entries(found));
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('is broken: it cannot be unpacked', { cause: error });
  }
}
