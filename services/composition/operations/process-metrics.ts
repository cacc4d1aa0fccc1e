import { Gauge } from 'prom-client';
import { createRegistry } from '../../gateway/http/metrics-registry.ts';
import type { Figures, ProcessStatus } from './process-status.ts';

interface ProcessMetrics {
  /** Renders a status as Prometheus text. */
  render(status: ProcessStatus): Promise<string>;
  readonly contentType: string;
}

/** The figures of the process, of its bus and leases, and every number or flag in its service's status. */
export function createProcessMetrics(): ProcessMetrics {
  const register = createRegistry();
  const registers = [register];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const info = gauge('beleg_process_info', 'Name of this process', ['service', 'instance', 'version']);
  const ready = gauge('beleg_process_ready', '1 while this process accepts work');
  const connected = gauge('beleg_bus_connected', '1 while the bus is connected');
  const inFlight = gauge('beleg_bus_in_flight', 'Messages being handled now');
  const leases = gauge('beleg_lease_held', '1 for each lease that this process holds', ['lease']);
  const told = new Map<string, Gauge>();

  const tell = (figures: Figures, prefix: string): void => {
    for (const [name, figure] of Object.entries(figures)) {
      const full = `${prefix}_${snakeCase(name)}`;
      if (typeof figure === 'object' && figure !== null) tell(figure, full);
      else if (typeof figure === 'number' || typeof figure === 'boolean') {
        const known = told.get(full) ?? gauge(full, `State reported by /ready: ${name}`);
        told.set(full, known);
        known.set(Number(figure));
      }
    }
  };

  return {
    render: async (status) => {
      info.reset();
      info.set({ service: status.service, instance: status.instance ?? '', version: status.version }, 1);
      ready.set(Number(status.ready));
      connected.set(Number(status.bus?.state === 'connected'));
      inFlight.set(status.bus?.in_flight ?? 0);
      leases.reset();
      for (const lease of status.leases) leases.set({ lease }, 1);
      // A figure that is no longer reported must not keep its last value.
      for (const figure of told.values()) figure.remove();
      tell(status.figures, `beleg_${status.service}`);
      return register.metrics();
    },
    contentType: register.contentType,
  };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/[^a-z0-9_]/g, '_');
}
