/** What operators set up and the audit log tells of. */
export const SETTING_TYPES = ['api_key', 'channel', 'pipeline', 'custom_field', 'webhook', 'agent'] as const;
export type SettingType = (typeof SETTING_TYPES)[number];

/** What is shown of a setting: never its secrets. */
export type SettingFields = Record<string, unknown>;

/** A setting as its last event left it. */
export interface Setting {
  setting_id: string;
  record_type: SettingType;
  fields: SettingFields;
}

/**
 * What a setting was before and is after a change; null where it does not exist. An event says both: settings that are older than
 * their first event have no fold before it.
 */
export interface SettingEvent {
  type: 'SettingChanged';
  data: {
    setting_id: string;
    record_type: SettingType;
    before: SettingFields | null;
    after: SettingFields | null;
  };
}

/** In the order of their names: a stored event does not keep the order that they were told in. */
export const inOrderOfNames = (fields: SettingFields): SettingFields =>
  Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)));

export const evolveSetting = (_state: Setting | null, { data }: SettingEvent): Setting | null =>
  data.after && { setting_id: data.setting_id, record_type: data.record_type, fields: data.after };
