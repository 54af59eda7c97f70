// web/console/today/today-page.tsx — the shop's day: takings, outcomes, speed, failures by terminal and scheme, reports.

import { curlOf } from '../curl.ts'
import type { Gateway } from '../gateway.ts'
import { inWords } from '../money.ts'
import { Text } from '../parts/scrolling.tsx'
import { Table } from '../parts/table.tsx'
import { FigureOverHours } from './figure.tsx'
import { type Day, MOST_OF_A_DAY, useDay } from './read-day.ts'
import { outcomesOf, secondsInWords, speedOf, type Takings, takingsByHour, takingsOf } from './sums.ts'
import { Groups, Outcomes, Reports } from './tables.tsx'

export function TodayPage({ gateway }: { readonly gateway: Gateway }) {
  const { day, problem, progress } = useDay(gateway)
  return (
    <>
      <h1>Today</h1>
      <p role="alert" class="bad">
        {problem}
      </p>
      {day === null && problem === null && <p class="quiet">{progress === '' ? 'Looking…' : progress}</p>}
      {day !== null && <DayView gateway={gateway} day={day} />}
    </>
  )
}

function DayView({ gateway, day }: { readonly gateway: Gateway; readonly day: Day }) {
  const { items, reports, timeZone, now, isCut } = day
  const date = new Date(now).toLocaleDateString('en-GB', { timeZone, dateStyle: 'full' })
  const time = new Date(now).toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' })
  return (
    <>
      <p class="lead">
        {date} in {timeZone}, until {time}: {items.length.toLocaleString()}{' '}
        {items.length === 1 ? 'transaction' : 'transactions'} at terminals. Online payments are not in it.
      </p>
      {isCut && (
        <p class="bad">
          Only the newest {MOST_OF_A_DAY.toLocaleString()} transactions of the day are in these figures.
        </p>
      )}
      {items.length === 0 ? (
        <Empty gateway={gateway} />
      ) : (
        <>
          <TakingsView day={day} />
          <div class="charts">
            <Outcomes outcomes={outcomesOf(items)} />
            <SpeedView day={day} />
          </div>
          <Groups title="Terminals" of="Terminal" items={items} nameOf={({ tid }) => tid} />
          <Groups title="Card schemes" of="Scheme" items={items} nameOf={({ scheme }) => scheme || 'no card read'} />
        </>
      )}
      <Reports reports={reports} timeZone={timeZone} />
    </>
  )
}

function Empty({ gateway }: { readonly gateway: Gateway }) {
  if (!gateway.isSandbox) return <p class="empty">Nothing yet today.</p>
  const request = { method: 'POST', path: '/sandbox/seed', body: { count: 40 }, status: 0, answer: null }
  return (
    <>
      <p class="empty">
        Nothing yet today.{' '}
        {'key' in gateway.credentials && (
          <>
            <a href="#/counter">Start a sale at the counter</a>, or{' '}
          </>
        )}
        let the terminals take forty payments of a working day:
      </p>
      <Text>{curlOf(request, gateway.credentials, location.origin)}</Text>
    </>
  )
}

function TakingsView({ day }: { readonly day: Day }) {
  const { items, hours } = day
  const takings = takingsOf(items)
  return (
    <section class="part">
      <h2>Takings</h2>
      {takings.length === 0 && <p class="quiet">No money was taken yet.</p>}
      <Table
        name="Takings by currency"
        columns={[
          'Currency',
          { amount: 'Total' },
          { amount: 'Sales' },
          { amount: 'Refunds' },
          { amount: 'Of which gratuity' },
        ]}
      >
        {takings.map(each => (
          <TakingsRow key={each.currency} takings={each} />
        ))}
      </Table>
      {takings.map(({ currency }) => (
        <FigureOverHours
          key={currency}
          title={`Takings in ${currency} by hour, sales less refunds`}
          hours={hours}
          series={[{ name: `Takings in ${currency}`, values: takingsByHour(items, currency, hours), form: 'filled' }]}
          words={value => inWords(value, currency)}
        />
      ))}
    </section>
  )
}

function TakingsRow({ takings }: { readonly takings: Takings }) {
  const { currency, salesMinor, salesCount, refundsMinor, refundsCount, gratuityMinor, totalMinor } = takings
  return (
    <tr>
      <th scope="row">{currency}</th>
      <td class="amount">
        <strong>{inWords(totalMinor, currency)}</strong>
      </td>
      <td class="amount">
        {inWords(salesMinor, currency)} <span class="quiet">in {salesCount}</span>
      </td>
      <td class="amount">
        {inWords(refundsMinor, currency)} <span class="quiet">in {refundsCount}</span>
      </td>
      <td class="amount">{inWords(gratuityMinor, currency)}</td>
    </tr>
  )
}

function SpeedView({ day: { items, hours } }: { readonly day: Day }) {
  const { p50Ms, p95Ms } = speedOf(items)
  const inHour = hours.map(hour => speedOf(items.filter(each => each.hour === hour)))
  return (
    <section class="part">
      <h2>From start to end</h2>
      <p>
        Half of the transactions took at most <strong>{secondsInWords(p50Ms)}</strong> (p50), 95 of 100 at most{' '}
        <strong>{secondsInWords(p95Ms)}</strong> (p95), with the time that customers take.
      </p>
      <FigureOverHours
        title="Seconds from start to end, by hour"
        hours={hours}
        series={[
          { name: 'p95', values: inHour.map(each => each.p95Ms), form: 'hollow' },
          { name: 'p50', values: inHour.map(each => each.p50Ms), form: 'filled' },
        ]}
        words={secondsInWords}
      />
    </section>
  )
}
