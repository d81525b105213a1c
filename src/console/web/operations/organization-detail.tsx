import { href } from '../data/route.js';
import { words } from '../words/words.js';
import { Time } from '../parts/states.js';
import { to } from './address.js';
import { Agents } from './agents.js';
import type { AdminOrganization } from './records.js';
import { Facts } from './split.js';

const { operations: text } = words;

export function OrganizationDetail({ of }: { of: AdminOrganization }) {
  const { organization_id: org, business_hours } = of;
  return (
    <>
      <h2 dir="auto">{of.name}</h2>
      <Facts
        facts={[
          [text.organizations.timezone, of.timezone],
          [text.organizations.region, of.default_region],
          [text.organizations.hours, hoursOf(business_hours)],
          [text.organizations.notified, of.notification_emails.join(', ')],
          [text.made, <Time at={of.created_at} />],
          [text.id, org],
        ]}
      />
      <div class="ops-acts">
        <a class="button" href={to('organizations', org, { edit: 'on' })}>
          {text.organizations.change}
        </a>
        <a class="button" href={href(['operations', 'channels'], { org })}>
          {text.tab.channels}
        </a>
        <a class="button" href={href(['operations', 'webhooks'], { org })}>
          {text.tab.webhooks}
        </a>
        <a class="button" href={to('keys', null, { q: org })}>
          {text.tab.keys}
        </a>
      </div>
      <Agents organization={org} />
    </>
  );
}

function hoursOf({ days, from, to: until }: AdminOrganization['business_hours']): string {
  const named = days.toSorted((one, other) => one - other).map((day) => text.organizations.day[day - 1]);
  return `${named.join(', ')} ${from}–${until}`;
}
