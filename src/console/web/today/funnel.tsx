import { href, useRoute } from '../data/route.js';
import { number, money } from '../format.js';
import { words } from '../words/words.js';
import { recordsHref } from './address.js';
import type { SaleFigures, StageFigures } from './answers.js';
import type { Choice } from './calendar.js';
import { percent } from './numbers.js';
import { Part } from './part.js';
import { type Compared, useSales, useStages } from './use-figures.js';

const { today: text } = words;

/** The stages of the pipeline, with the sales that were in each and the exact sums of their quotes. */
export function Funnel({ choice }: { choice: Choice }) {
  const { query } = useRoute();
  const sales = useSales(choice);
  return (
    <Part
      name="funnel"
      title={text.funnel.title}
      aside={<a href={href(['pipeline'], { org: query.get('org') })}>{text.all}</a>}
      of={sales}
      rows={4}
    >
      {(compared) => <Stages of={compared} />}
    </Part>
  );
}

function Stages({ of: { span, now, spanBefore, before } }: { of: Compared<SaleFigures> }) {
  const ids = useStages().data?.map(({ status_id }) => status_id) ?? [];
  const most = Math.max(1, ...[...now.pipeline, ...before.pipeline].map(({ volume }) => volume));
  const recordsOf = (nr: number, of: typeof span) =>
    ids[nr] && recordsHref('pipeline', of, { status_id: ids[nr] });
  const link = (nr: number, of: typeof span, volume: number | undefined) =>
    volume === undefined ? text.none : <Linked to={recordsOf(nr, of)}>{number(volume)}</Linked>;
  return (
    <>
      <div class="table-box" tabIndex={0} role="region" aria-label={text.tableOf(text.funnel.title)}>
        <table>
          <caption class="quiet">{text.funnel.hint}</caption>
          <thead>
            <tr>
              <th scope="col">{text.funnel.stage}</th>
              <th scope="col" class="number">
                {text.funnel.sales}
              </th>
              <th scope="col" class="number quiet">
                {text.before}
              </th>
              <th scope="col" class="number">
                {text.funnel.sum}
              </th>
            </tr>
          </thead>
          <tbody>
            {now.pipeline.map((stage, nr) => (
              <tr key={stage.name}>
                <th scope="row">
                  <span dir="auto">{stage.name}</span>
                  <span class="stage-bars" aria-hidden="true">
                    <span
                      class="stage-before"
                      style={{ width: shareOf(before.pipeline[nr]?.volume ?? 0, most) }}
                    />
                    <span class="stage-now" style={{ width: shareOf(stage.volume, most) }} />
                  </span>
                </th>
                <td class="number">{link(nr, span, stage.volume)}</td>
                <td class="number quiet">{link(nr, spanBefore, before.pipeline[nr]?.volume)}</td>
                <td class="number">
                  <Sums of={stage} to={recordsOf(nr, span)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>
        <a href={recordsHref('salesCreated', span)}>{text.funnel.rate(percent(now.salesRate))}</a>
      </p>
    </>
  );
}

const shareOf = (volume: number, most: number): string => `${(100 * volume) / most}%`;

/** A figure, and the records behind it once their address is known. */
export const Linked = ({ to, children }: { to: string | undefined; children: string }) =>
  to === undefined ? <>{children}</> : <a href={to}>{children}</a>;

/** One sum for each currency, which opens the sales that it is of. */
export const Sums = ({ of: { values = [] }, to }: { of: StageFigures; to: string | undefined }) => (
  <>
    {values.map(({ currency, value }) => (
      <div key={currency}>
        <Linked to={to}>{money(value, currency)}</Linked>
      </div>
    ))}
    {values.length === 0 && text.none}
  </>
);
