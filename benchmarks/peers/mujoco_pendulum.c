// The contact of pendulum_problem.py as a passive force of MuJoCo: what its users write in C.
#include <math.h>
#include <mujoco/mujoco.h>

static const mjtNum SIZE[2][3] = {{0.05, 0.06, 0.15}, {0.04, 0.05, 0.14}};
static const mjtNum STIFFNESS = 3.303e7, DAMPING = 2.157e4;

void touch(const mjModel* m, mjData* d) {
  const mjtNum root = sqrt(1.05), n[3] = {0.2 / root, 0.1 / root, 1.0 / root}, level = 0.40 / root;
  for (int k = 0; k < 2; k++) {
    int body = k + 1;
    const mjtNum *x = d->xipos + 3 * body, *R = d->ximat + 9 * body;
    mjtNum local[3], bent[3], arm[3], velocity[6], spin[3], point[3], force[3];
    mju_mulMatTVec3(local, R, n);
    mjtNum height = 0.0;
    for (int i = 0; i < 3; i++) {
      bent[i] = SIZE[k][i] * SIZE[k][i] * local[i];
      height += local[i] * bent[i];
    }
    height = sqrt(height);
    mjtNum gap = mju_dot3(n, x) + level - height;
    if (gap > 0.0) continue;
    mju_mulMatVec3(arm, R, bent);
    mju_scl3(arm, arm, -1.0 / height);
    mj_objectVelocity(m, d, mjOBJ_BODY, body, velocity, 0);
    mju_cross(spin, velocity, arm);
    mjtNum rate = mju_dot3(n, velocity + 3) + mju_dot3(n, spin);
    mjtNum normal = -STIFFNESS * gap - DAMPING * rate;
    if (normal <= 0.0) continue;
    mju_scl3(force, n, normal);
    mju_add3(point, x, arm);
    mj_applyFT(m, d, force, NULL, point, body, d->qfrc_passive);
  }
}
