import { notify } from '../data/notices.js';
import { go } from '../data/route.js';
import { api } from '../data/session.js';
import { words } from '../words/words.js';
import { to } from './address.js';
import { Field, type Filled, Form, Tick } from './form.js';
import { useKeptForm } from './kept-form.js';
import type { AdminOrganization } from './records.js';
import { useEdit } from './use-edit.js';

const { organizations: text } = words.operations;

interface Props {
  /** The one to change; another one is made without it. */
  of?: AdminOrganization;
  changed: () => Promise<void>;
}

export function OrganizationForm({ of, changed }: Props) {
  const kept = useKeptForm('new organization');
  const done = async (organization_id: string) => {
    await changed();
    go(to('organizations', organization_id));
  };
  if (of) return <ChangeForm of={of} done={() => done(of.organization_id)} />;
  const make = async (filled: Filled, form: FormData) => {
    const body = bodyOf(filled, form.getAll('day').map(Number));
    const { organization_id } = await api().POST<AdminOrganization>('/admin/v1/organizations', { body });
    notify(text.madeNow);
    await done(organization_id);
  };
  return (
    <>
      <h2>{text.make}</h2>
      <Form kept={kept} act={text.make} run={make} cancel={() => go(to('organizations'))}>
        <Fields />
        <Habits />
      </Form>
    </>
  );
}

function ChangeForm({ of, done }: { of: AdminOrganization; done: () => Promise<void> }) {
  const kept = useKeptForm(`organization ${of.organization_id}`, of);
  const listed = kept.base;
  const { organization_id } = listed;
  const params = { path: { organization_id } };
  const write = (body: object, headers: Record<string, string> = {}) =>
    api().PATCH<AdminOrganization>('/admin/v1/organizations/{organization_id}', { params, body, headers });
  const { save, met } = useEdit<AdminOrganization>({
    kept,
    labels: { name: text.name, notification_emails: text.notified },
    // Operators have no route that reads one; a change of nothing shows it with its version.
    read: () => write({}),
    write,
    done,
  });
  return (
    <>
      <h2>{text.change}</h2>
      {met ?? (
        <Form
          kept={kept}
          act={words.operations.save}
          run={(filled) => save(changesOf(filled))}
          cancel={() => go(to('organizations', organization_id))}
        >
          <Fields of={listed} />
        </Form>
      )}
    </>
  );
}

const Fields = ({ of }: { of?: AdminOrganization }) => (
  <>
    <Field name="name" label={text.name} required isFirst defaultValue={of?.name} />
    <Field
      name="notified"
      label={text.notified}
      hint={text.notifiedHint}
      dir="ltr"
      defaultValue={of?.notification_emails.join(', ')}
    />
  </>
);

const ZONES = Intl.supportedValuesOf('timeZone');

/** What figures are made with from the first day, and cannot be changed. */
const Habits = () => (
  <>
    <p class="quiet">{text.forGood}</p>
    <div class="ops-pair">
      <Field
        name="timezone"
        label={text.timezone}
        list="zones"
        required
        defaultValue={Intl.DateTimeFormat().resolvedOptions().timeZone}
      />
      <Field
        name="default_region"
        label={text.region}
        hint={text.regionHint}
        maxLength={2}
        pattern="[A-Za-z]{2}"
        required
        defaultValue="US"
      />
    </div>
    <datalist id="zones">
      {ZONES.map((zone) => (
        <option key={zone} value={zone} />
      ))}
    </datalist>
    <fieldset class="ticks is-row">
      <legend class="label">{text.hours}</legend>
      {text.day.map((day, index) => (
        <Tick key={day} name="day" value={String(index + 1)} label={day} checked={index < 5} />
      ))}
    </fieldset>
    <div class="ops-pair">
      <Field name="from" label={text.from} type="time" required defaultValue="09:00" />
      <Field name="to" label={text.to} type="time" required defaultValue="17:00" />
    </div>
  </>
);

const emailsIn = (text = ''): string[] => text.split(/[\s,]+/).filter(Boolean);

const changesOf = ({ name, notified }: Filled) => ({ name, notification_emails: emailsIn(notified) });

const bodyOf = ({ timezone, default_region, from, to: until, ...rest }: Filled, days: number[]) => ({
  ...changesOf(rest),
  timezone,
  default_region: default_region?.toUpperCase(),
  business_hours: { days, from, to: until },
});
