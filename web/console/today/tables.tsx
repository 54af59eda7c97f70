// web/console/today/tables.tsx — outcomes, terminals, schemes and reports of a day: tables whose rows are bars, too.
import { inWords } from '../money.ts'
import { Table } from '../parts/table.tsx'
import { type DayReport, totalsOf } from './reports.ts'
import { type DayItem, groupsOf, type Outcome, secondsInWords } from './sums.ts'

/** A share as a bar. The number is beside it, so nobody needs the bar. */
function Share({ of, tone }: { readonly of: number; readonly tone: 'plain' | 'bad' }) {
  return (
    <span class="share">
      <span class={`bar ${tone}`} aria-hidden="true">
        <span style={{ width: `${of * 100}%` }} />
      </span>
      {Math.round(of * 100)}%
    </span>
  )
}

export function Outcomes({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  return (
    <section class="part">
      <h2>Outcomes</h2>
      <Table name="Outcomes" columns={['Outcome', { amount: 'Transactions' }, 'Share']}>
        {outcomes.map(({ name, count, share }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="amount">{count}</td>
            <td>
              <Share of={share} tone={name === 'SUCCESSFUL' || name === 'running' ? 'plain' : 'bad'} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

export interface GroupsProps {
  readonly title: string
  readonly of: string
  readonly items: readonly DayItem[]
  readonly nameOf: (item: DayItem) => string
}

export function Groups({ title, of, items, nameOf }: GroupsProps) {
  return (
    <section class="part">
      <h2>{title}</h2>
      <Table
        name={title}
        columns={[
          of,
          { amount: 'Ended' },
          { amount: 'Without success' },
          { amount: 'Of which declined' },
          'Share without success',
          { amount: 'p50' },
          { amount: 'p95' },
        ]}
      >
        {groupsOf(items, nameOf).map(({ name, count, failed, declined, share, p50Ms, p95Ms }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="amount">{count}</td>
            <td class="amount">{failed}</td>
            <td class="amount">{declined}</td>
            <td>
              <Share of={share} tone="bad" />
            </td>
            <td class="amount">{secondsInWords(p50Ms)}</td>
            <td class="amount">{secondsInWords(p95Ms)}</td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

export function Reports({ reports, timeZone }: { readonly reports: readonly DayReport[]; readonly timeZone: string }) {
  return (
    <section class="part">
      <h2>Reports of the terminals</h2>
      {reports.length === 0 ? (
        <p class="quiet">
          No terminal has made a report today. A till asks for one with <code>POST /pac/terminals/…/reports</code> and{' '}
          <code>{'{"reportType":"END_OF_DAY"}'}</code>.
        </p>
      ) : (
        <Table
          name="Reports of the terminals"
          columns={['At', 'Terminal', 'Report', { amount: 'Sales' }, { amount: 'Refunds' }, { amount: 'Total' }]}
        >
          {reports.map(report => (
            <ReportRow key={report.requestId} report={report} timeZone={timeZone} />
          ))}
        </Table>
      )}
    </section>
  )
}

function ReportRow({ report, timeZone }: { readonly report: DayReport; readonly timeZone: string }) {
  const totals = totalsOf(report)
  const words = (minor: number) => (totals === null ? '' : inWords(minor, totals.currency))
  return (
    <tr>
      <td>{new Date(report.startedAt).toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' })}</td>
      <td>{report.tid}</td>
      <td>{report.reportType}</td>
      <td class="amount">
        {words(totals?.totalSalesAmount ?? 0)} <span class="quiet">in {totals?.totalSalesCount ?? 0}</span>
      </td>
      <td class="amount">
        {words(totals?.totalRefundsAmount ?? 0)} <span class="quiet">in {totals?.totalRefundsCount ?? 0}</span>
      </td>
      <td class="amount">{words(totals?.totalAmount ?? 0)}</td>
    </tr>
  )
}
