import { dismiss, useNotices } from '../data/notices.js';

export const Notices = () => (
  <div class="notices" role="status">
    {useNotices().map((notice) => (
      <div key={notice} class="notice">
        <span>{notice.text}</span>
        {notice.act && (
          <button
            class="button slim"
            onClick={() => {
              dismiss(notice);
              notice.act!.run();
            }}
          >
            {notice.act.label}
          </button>
        )}
      </div>
    ))}
  </div>
);
