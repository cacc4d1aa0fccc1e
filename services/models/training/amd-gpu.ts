import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

const AMD = '0x1002';

/**
 * Whether this process has opened AMD GPUs and no others, judged by its open device files on Linux. A provider does not
 * tell which GPU it uses, so in doubt this is false.
 */
export function onlyAmdGpusOpen(root = '/'): boolean {
  try {
    const folder = `${root}proc/self/fd`;
    const opened = new Set(readdirSync(folder).flatMap((fd) => devicesAt(`${folder}/${fd}`)));
    const vendors = [...opened].map((device) => vendorOf(root, device));
    return vendors.length > 0 && vendors.every((vendor) => vendor === AMD);
  } catch {
    return false;
  }
}

/** The file of the GPU behind a descriptor; none if it was closed meanwhile. */
function devicesAt(descriptor: string): string[] {
  try {
    const path = readlinkSync(descriptor);
    return /^\/dev\/(dri\/(renderD|card)\d+|nvidia\d+)$/.test(path) ? [path] : [];
  } catch {
    return [];
  }
}

/** The vendor's PCI number; `null` for devices of NVIDIA's own driver, which are outside `/dev/dri`. */
function vendorOf(root: string, device: string): string | null {
  if (!device.startsWith('/dev/dri/')) return null;
  return readFileSync(`${root}sys/class/drm/${basename(device)}/device/vendor`, 'utf8').trim();
}
