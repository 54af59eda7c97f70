// docs/site/state-table.ts — shows a state diagram as a table, which needs no drawing and can be read aloud.

/** @param diagram lines `from --> to: event, event` of a Mermaid state diagram */
export function stateTable(diagram: string): string {
  const rows = [...diagram.matchAll(/^\s*(\S+) --> ([^:\s]+)(?:: (.*))?$/gm)].map(
    ([, from = '', to = '', events = '']) => {
      const cells = [stateName(from, 'the beginning'), stateName(to, 'the end'), events]
      return `<tr>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`
    },
  )
  return `<div class="scroll" tabindex="0" role="group" aria-label="States"><table>
<thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col">By</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>
`
}

function stateName(name: string, outside: string): string {
  return name === '[*]' ? `<em>${outside}</em>` : name
}
