import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { REPORT_POLICY } from '../http/security-headers.ts';
import { BelegError } from '../../../events/errors.ts';
import { KeptReport, KEPT_REPORTS, listReports, readReport } from '../../backtest/kept-reports.ts';
import { addOperation } from './add-operation.ts';
import type { DashboardContext } from './dashboard-context.ts';

const ReportPath = z.object({ id: z.string() });

export const ReportList = z.object({
  reports: z.array(KeptReport).describe('Newest first'),
  note: z.string().nullable().describe('Why the list is empty; `null` where it is not'),
});

const NONE =
  'This host has no reports. `beleg backtest` keeps them on the host on which it runs, in DATA_DIR/reports or TD_REPORTS';

/** Adds the routes for kept reports of backtests. They are files of this host, so no other service is asked. */
export function addReportRoutes(app: FastifyInstance, { access, settings }: DashboardContext): void {
  const folder = settings.reports;

  addOperation(app, access, {
    at: 'GET /api/reports',
    summary: 'Extension: reports of backtests that were run on this host',
    reply: ReportList,
    means: `The last ${KEPT_REPORTS} reports, newest first; an empty list says why it is empty`,
    codes: [],
    handler: async () => {
      const reports = await listReports(folder);
      return { reports, note: reports.length === 0 ? NONE : null };
    },
  });

  addOperation(app, access, {
    at: 'GET /api/reports/:id',
    summary: 'Extension: a report as a page, without scripts',
    params: ReportPath,
    reply: z.string(),
    means: 'The page',
    others: { 200: { description: 'The page', content: { 'text/html': { schema: z.string() } } } },
    codes: ['UNKNOWN_REPORT'],
    handler: async (request, reply) => {
      const html = await readReport(folder, request.params.id);
      if (html === undefined) throw new BelegError('UNKNOWN_REPORT');
      void reply.header('content-security-policy', REPORT_POLICY).type('text/html; charset=utf-8');
      return html;
    },
  });
}
