// Arrow heads, one for each colour.
const KINDS = ["found", "partial", "nothing", "failed", "pass", "plain", "sel"];

export function ArrowHeads() {
  return (
    <svg className="arrows" aria-hidden="true" width={0} height={0}>
      <defs>
        {KINDS.map((kind) => (
          <marker key={kind} id={`arrow-${kind}`} className={`o-${kind}`} viewBox="0 0 8 8" refX={6.5} refY={4} markerUnits="userSpaceOnUse" markerWidth={10} markerHeight={10} orient="auto">
            <path d="M1 1l6 3-6 3z" fill="currentColor" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}
