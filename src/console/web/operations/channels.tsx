import type { ComponentChildren } from 'preact';
import { useCalls } from '../data/organization.js';
import { reload, useKept } from '../data/store.js';
import { Icon, modalityIcon } from '../parts/icon.js';
import { words } from '../words/words.js';
import { usePlace } from './address.js';
import { ChannelDetail } from './channel-detail.js';
import { ChannelForm } from './channel-form.js';
import { OfOrganization } from './of-organization.js';
import type { Channel, ChannelModality, List } from './records.js';
import { Missing, Split } from './split.js';
import { StateMark } from './state-mark.js';

const { channels: text } = words.operations;
const MODALITIES: ChannelModality[] = ['email', 'text', 'live_chat'];

/** By what an organization writes and is written to. */
export const Channels = () => (
  <OfOrganization tab="channels">
    {(organization, choice) => <OfOne organization={organization} choice={choice} />}
  </OfOrganization>
);

interface Row {
  modality: ChannelModality;
  channel: Channel | undefined;
}

function OfOne({ organization, choice }: { organization: string; choice: ComponentChildren }) {
  const calls = useCalls();
  const { query } = usePlace();
  const key = `ops channels ${organization}`;
  const kept = useKept(key, () => calls.GET<List<Channel>>('/channels'));
  const rows = kept.data && MODALITIES.map((modality) => rowOf(modality, kept.data!.data));
  return (
    <Split<Row>
      tab="channels"
      label={text.list}
      kept={kept}
      rows={rows}
      again={() => void reload(key)}
      idOf={({ modality }) => modality}
      head={choice || undefined}
      empty={null}
      draw={({ modality, channel }) => (
        <>
          <span class="row-line">
            <Icon name={modalityIcon(modality)} />
            <span class="row-name">{words.modality[modality]}</span>
          </span>
          <span class="row-line small">
            {channel ? (
              <StateMark kind="done">{text.setUp}</StateMark>
            ) : (
              <StateMark kind="quiet">{text.notSetUp}</StateMark>
            )}
            <span class="quiet cut" dir="ltr">
              {channel?.from_address ?? channel?.from_number}
            </span>
          </span>
        </>
      )}
      detail={(id) => {
        const row = rows?.find(({ modality }) => modality === id);
        if (!row) return <Missing kept={kept} />;
        const { modality, channel } = row;
        if (channel === undefined || query.get('edit') === 'on')
          return <ChannelForm modality={modality} of={channel} changed={() => reload(key)} />;
        return <ChannelDetail of={channel} changed={() => reload(key)} />;
      }}
    />
  );
}

const rowOf = (modality: ChannelModality, channels: Channel[]): Row => ({
  modality,
  channel: channels.find((one) => one.modality === modality),
});
