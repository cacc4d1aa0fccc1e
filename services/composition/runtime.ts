import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { NatsConnection } from 'nats';
import type { Logger } from 'pino';
import type { MessageBus } from '../../events/bus/bus.ts';
import type { OnHandlerError } from '../../events/bus/handlers.ts';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { openNatsBus } from '../../events/bus/nats.ts';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { BelegError } from '../../events/errors.ts';
import { createCodec, createDecoder, type Codec } from '../../events/define.ts';
import { InProcessLeases } from '../../events/leases/in-process.ts';
import type { Leases, OnWorkError } from '../../events/leases/leases.ts';
import { openNatsLeases } from '../../events/leases/nats.ts';
import {
  connectNats,
  explainJetStream,
  inboxPrefixOf,
  type ConnectOptions,
  type NatsSettings,
} from '../../events/nats/connection.ts';
import { untilAnswered } from '../../events/nats/until-answered.ts';
import { createInProcessOutlet } from '../../events/relay/in-process-outlet.ts';
import { openJetStreamOutlet } from '../../events/relay/jetstream-outlet.ts';
import type { Outlet } from '../../events/relay/outlet.ts';
import { unavailable } from '../../events/sqlite/faults.ts';
import { startIntegrityCheck } from '../../events/sqlite/integrity.ts';
import { isLocked } from '../../events/sqlite/lock.ts';
import { holdsBytes } from '../../events/sqlite/private-file.ts';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';
import { openEmbeddedReader } from '../../events/store/embedded/read-only.ts';
import { hostsIn } from '../../events/store/eventstoredb/address.ts';
import { openEventStoreDb } from '../../events/store/eventstoredb/eventstoredb.ts';
import type { EventStore } from '../../events/store/store.ts';
import { openNatsKeys } from '../../events/vault/nats-read-only.ts';
import { openNatsVault } from '../../events/vault/nats.ts';
import { openSqliteKeys } from '../../events/vault/sqlite-keys.ts';
import { openSqliteVault } from '../../events/vault/sqlite.ts';
import { NO_VAULT, type KeyReader, type Vault } from '../../events/vault/vault.ts';
import { failureLevel } from '../foundation/late.ts';
import type { Settings } from './settings.ts';
import { closingOnFailure } from '../foundation/closers.ts';
import { makeDataDir } from '../foundation/data-dir.ts';
import { heedErasures, heedErasuresReading } from '../audit/erasure/restored-keys.ts';
import { FilesInPlace, NO_FILES, type RecordFiles } from '../foundation/files-in-place.ts';
import { forgetListening } from '../foundation/listening.ts';
import { openSpool, type Spool } from '../foundation/spool.ts';
import {
  isFreeOfEvents,
  noOtherSpools,
  spoolOf,
  spoolsBeside,
  type OtherSpools,
} from '../knowledge/spool-slots.ts';
import type { OpenRecord } from '../foundation/record.ts';
import { SERVICES, type ServiceName } from './service-names.ts';
import { claimSlot } from '../foundation/process-slot.ts';
import { missingRecord, type RecordMissing } from './missing-record.ts';
import { heedOwnRecord } from './own-record.ts';
import { tellMissingKeys, tidyKeys } from './tidy-keys.ts';
import type { BrokerOpener } from '../trading/open-broker.ts';
import { openPaperBroker } from '../trading/paper-broker/paper-broker.ts';
import { VERSION } from '../foundation/version.ts';

/** The parts of every process, in both modes. */
export interface BusRuntime {
  /**
   * The name of this process among those of its service, which is also used in subjects: lower-case letters and digits.
   * Each start has a new name.
   */
  readonly instance: string;
  readonly bus: MessageBus;
  /** Lets handlers finish, then closes what they use. Call it when no new requests can arrive. */
  close(): Promise<void>;
}

/** The parts that services need that decide and record. */
export interface Runtime extends BusRuntime {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly codec: Codec;
  readonly spool: Spool;
  readonly others: OtherSpools;
  readonly leases: Leases;
  readonly openBroker: BrokerOpener;
  /** The files of the record that this process itself writes. */
  readonly recordFiles: RecordFiles;
  /** The outlet to which the relay publishes; `null` if another process does. */
  readonly outlet: Outlet | null;
}

/** The adapters, which differ between the modes. */
type Adapters = Pick<
  Runtime,
  'bus' | 'instance' | 'store' | 'vault' | 'spool' | 'others' | 'leases' | 'outlet' | 'recordFiles'
>;

/**
 * The only place that chooses adapters: embedded ones below `DATA_DIR`, or NATS and EventStoreDB. Rejects with
 * `STORE_UNAVAILABLE` if `DATA_DIR` cannot be written or is in use by another process, with `RecordMissing` if it has
 * lost its record or the shared store has another one, and with `NatsUnavailable` if NATS does not start or accepts no
 * login; nothing stays open then. A start succeeds even if the event store cannot be reached. `services` are those of
 * this process, because on NATS each may only use what it needs (`nats.conf`).
 */
export function openRuntime(
  settings: Settings,
  logger: Logger,
  services: readonly ServiceName[] = SERVICES,
): Promise<Runtime> {
  // An open thread would keep a process alive whose start has failed.
  return closingOnFailure(async (closers) => {
    await makeDataDir(settings);
    const adapters =
      settings.distributed === null
        ? await openEmbedded(settings, logger, closers)
        : await openDistributed(settings, settings.distributed, logger, services, closers);
    const { store, vault } = adapters;
    const codec = createCodec(CATALOG, vault);
    return {
      ...adapters,
      codec,
      openBroker: (options) => openPaperBroker({ ...options, store, codec, rules: settings.trading.rules }),
      close: () => closers.disposeAsync(),
    };
  });
}

/** The bus alone, for a process that has no record. It is only useful with a shared bus. */
export async function openBusRuntime(
  settings: Settings,
  logger: Logger,
  connect: Pick<ConnectOptions, 'waitOnFirstConnectMs'> = {},
): Promise<BusRuntime> {
  const { distributed } = settings;
  if (distributed === null) throw new TypeError('this process needs NATS_URL and EVENTSTORE_URL');
  return closingOnFailure(async (closers) => {
    const { bus, instance } = await joinBus(distributed.nats, logger, closers, connect);
    return { bus, instance, close: () => closers.disposeAsync() };
  });
}

/**
 * Opens the record for reading, whatever writes to it meanwhile; nothing is created. Free text whose key this user does
 * not have reads as `SEALED_TEXT`. NATS is only called when the first key is needed.
 *
 * Rejects with `STORE_UNAVAILABLE` if there is no record below `DATA_DIR`, and with `RecordMissing` if it was lost; an
 * unreachable EventStoreDB shows at the first read.
 */
export function openRecord(settings: Settings): Promise<OpenRecord> {
  const { dataDir, distributed } = settings;
  return closingOnFailure(async (closers) => {
    const embedded = distributed === null ? await openOwnRecord(settings) : null;
    const store = embedded ?? (await openEventStoreDb({ url: distributed!.eventStoreUrl }));
    closers.defer(() => store.close());
    const keys =
      distributed === null
        ? closers.adopt(openSqliteKeys({ file: keysIn(dataDir) }), (opened) => opened.close())
        : lazyNatsKeys(distributed.nats, closers);
    return {
      store,
      codec: createDecoder(CATALOG, heedErasuresReading(keys, store)),
      since: embedded === null ? undefined : (at) => embedded.since(at),
      [Symbol.asyncDispose]: () => closers.disposeAsync(),
    };
  });
}

async function openOwnRecord(settings: Settings) {
  try {
    return openEmbeddedReader({ file: recordIn(settings.dataDir) });
  } catch (error) {
    throw (await findMissingRecord(settings)) ?? error;
  }
}

/** Opens only the shared record, for reading. It connects with the first call. */
export function openSharedRecord(
  distributed: NonNullable<Settings['distributed']>,
): Promise<Pick<EventStore, 'ping' | 'readAll' | 'close'>> {
  return openEventStoreDb({ url: distributed.eventStoreUrl });
}

/** Finds out whether `DATA_DIR` has lost its record (see `missingRecord`). */
export const findMissingRecord = (settings: Settings): Promise<RecordMissing | null> =>
  missingRecord(settings, (file) => openEmbeddedReader({ file }));

/** Whether a process has the record in `DATA_DIR` open for writing. Throws `STORE_UNAVAILABLE` if that is unknown. */
export function isRecordHeld({ dataDir }: Settings): boolean {
  try {
    return isLocked(recordIn(dataDir));
  } catch (error) {
    throw unavailable(error);
  }
}

const HELD =
  'another process has the record in DATA_DIR open, and one at a time may: stop it, or set DATA_DIR to another folder';

const recordIn = (dataDir: string): string => join(dataDir, 'events.db');
export const keysIn = (dataDir: string): string => join(dataDir, 'keys.db');

function lazyNatsKeys(nats: NatsSettings, closers: AsyncDisposableStack): KeyReader {
  let connecting: Promise<NatsConnection> | undefined;
  let opening: Promise<KeyReader> | undefined;
  closers.defer(async () => (await connecting?.catch(() => undefined))?.close());
  const open = async (): Promise<KeyReader> => {
    connecting = connectNats(nats, { name: 'beleg-operator', waitOnFirstConnectMs: 2_000 });
    return openNatsKeys(await connecting);
  };
  return { open: async (...given) => (await (opening ??= open())).open(...given) };
}

async function openEmbedded(
  settings: Settings,
  logger: Logger,
  closers: AsyncDisposableStack,
): Promise<Adapters> {
  const { dataDir } = settings;
  const missing = await findMissingRecord(settings);
  if (missing !== null) throw missing;
  const files = new FilesInPlace(logger);
  // The record is created first, because other files without it mean that it was lost.
  const store = await openEmbeddedStore({ file: recordIn(dataDir), onFile: files.watch('events.db') }).catch(
    (cause: unknown) => {
      if (!isRecordHeld(settings)) throw cause;
      throw new BelegError('STORE_UNAVAILABLE', { detail: HELD, cause });
    },
  );
  closers.defer(() => store.close());
  const keysFile = keysIn(dataDir);
  if (!holdsBytes(keysFile)) await tellMissingKeys(store, logger);
  const keys = await openSqliteVault({ file: keysFile, onFile: files.watch('keys.db') });
  closers.defer(() => keys.close());
  closers.defer(checkKeysFile(keysFile, logger));
  const vault = heedErasures(keys, store);
  await forgetListening(dataDir);
  const spool = await spoolIn(dataDir, closers);
  const bus = new InProcessBus().connect(tellHandlerError(logger));
  closers.defer(() => bus.drain());
  const leases = new InProcessLeases(tellWorkError(logger));
  await tidyKeys(vault, store, spool, logger);
  const instance = newInstance();
  return {
    instance,
    bus,
    store,
    vault,
    spool,
    others: noOtherSpools(instance),
    leases,
    recordFiles: files,
    outlet: createInProcessOutlet(bus, store),
  };
}

async function openDistributed(
  settings: Settings,
  { nats, replicas, eventsBytes, eventStoreUrl }: NonNullable<Settings['distributed']>,
  logger: Logger,
  services: readonly ServiceName[],
  closers: AsyncDisposableStack,
): Promise<Adapters> {
  const { dataDir } = settings;
  // A process that records nothing also delivers nothing, so it leaves slots with entries to others.
  const records = services.includes('knowledge');
  const slot = await claimSlot(dataDir, records ? undefined : isFreeOfEvents);
  closers.defer(() => slot.release());
  const opened = await openEventStoreDb({ url: eventStoreUrl });
  closers.defer(() => opened.close());
  const store = await heedOwnRecord(opened, settings, logger, hostsIn(eventStoreUrl));
  const { bus, instance, connection } = await joinBus(nats, logger, closers);
  const spool = await spoolIn(slot.folder, closers);
  const inJetStream = <T>(open: () => Promise<T>): Promise<T> =>
    untilAnswered(open, logger).catch((error: unknown) => {
      throw explainJetStream(connection, nats.servers, error);
    });
  const leases = await inJetStream(() =>
    openNatsLeases(connection, {
      holder: instance,
      onWorkError: tellWorkError(logger),
      onHeld: (lease) => logger.info({ lease }, 'this process holds the lease now'),
      onLost: (lease) => logger.info({ lease }, 'this process has lost the lease: another one may take over'),
      replicas,
    }),
  );
  let vault: Vault = NO_VAULT;
  if (services.some((service) => service === 'knowledge' || service === 'audit')) {
    const keys: Awaited<ReturnType<typeof openNatsVault>> = await inJetStream(() =>
      openNatsVault(connection, {
        owner: slot.owner,
        replicas,
        onEmptied: () => {
          logger.error(
            'keys of text were lost in NATS, or their whole bucket: what is left is kept, and text under lost keys cannot be read',
          );
          return heeding.eraseAnew();
        },
      }),
    );
    closers.defer(() => keys.close());
    const heeding = (vault = heedErasures(keys, store));
    // Leftovers of an earlier run can wait until a start reaches the store.
    await tidyKeys(heeding, store, spool, logger).catch((error: unknown) =>
      logger.warn(
        { err: error },
        'leftover keys of an earlier run could not be checked; the next start tries again',
      ),
    );
  }
  const outlet = services.includes('audit')
    ? await inJetStream(() =>
        openJetStreamOutlet(connection, {
          replicas,
          maxBytes: eventsBytes,
          onForeign: (message) =>
            logger.warn(
              message,
              'somebody else has published among the events, where only the relay may (nats.conf): the message is passed over here, and subscribers get it',
            ),
        }),
      )
    : null;
  // Closed in reverse order, so that handlers finish while they can still write.
  closers.defer(() => bus.drain());
  const others = records ? spoolsBeside(dataDir, slot) : noOtherSpools(instance);
  return { instance, bus, store, vault, spool, others, leases, recordFiles: NO_FILES, outlet };
}

async function joinBus(
  nats: NatsSettings,
  logger: Logger,
  closers: AsyncDisposableStack,
  connect: Pick<ConnectOptions, 'waitOnFirstConnectMs'> = {},
) {
  const instance = newInstance();
  const connection = await connectNats(nats, { ...connect, name: `beleg-${instance}`, log: logger });
  closers.defer(() => connection.close());
  const bus = openNatsBus(connection, {
    onHandlerError: tellHandlerError(logger),
    version: VERSION,
    inboxPrefix: inboxPrefixOf(nats),
  });
  closers.defer(() => bus.drain());
  return { instance, connection, bus };
}

/**
 * Checks the whole file of the keys in the background: a damaged page would otherwise only be noticed at the first text
 * whose key is on it. Returns a function that ends the check.
 */
function checkKeysFile(file: string, logger: Logger): () => Promise<void> {
  const check = startIntegrityCheck(file);
  const tell = async (): Promise<void> => {
    const messages = (await check.messages).slice(0, 5);
    if (messages.length > 0)
      logger.error({ file: 'keys.db', messages }, `keys.db is damaged: ${DAMAGED_KEYS_ADVICE}`);
  };
  // If the file cannot be checked, nothing is reported here; the parts that need a key report it.
  void tell().catch(() => undefined);
  return () => check.stop();
}

/** Advice for a file of keys that is damaged. */
export const DAMAGED_KEYS_ADVICE =
  'stop the service; move keys.db to another folder and keep it, and put a backup of the same age as the record in its place';

async function spoolIn(folder: string, closers: AsyncDisposableStack): Promise<Spool> {
  const spool = await openSpool(spoolOf(folder));
  closers.defer(() => spool.close());
  return spool;
}

function newInstance(): string {
  return randomBytes(8).toString('hex');
}

function tellHandlerError(logger: Logger): OnHandlerError {
  return (error, subject) => logger.error({ err: error, subject }, 'a message handler failed');
}

function tellWorkError(logger: Logger): OnWorkError {
  return (error, lease) =>
    logger[failureLevel(error)](
      { err: error, lease },
      'the work of a lease failed: the lease is given back, and tried for again after a second',
    );
}
